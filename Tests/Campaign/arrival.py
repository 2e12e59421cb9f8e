def arrival(campaign, report):
    report.skip("later")
