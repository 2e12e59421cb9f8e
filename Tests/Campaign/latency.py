def latency(campaign, report):
    report.skip("later")
