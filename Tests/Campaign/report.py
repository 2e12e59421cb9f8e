"""What a scenario counted, what it found wrong, and what it could not try."""
import time


class Report:
    SHOWN = 12

    def __init__(self, name):
        self.name, self.facts, self.faults, self.skips = name, [], [], []
        self.start = time.monotonic()

    def fact(self, text):
        self.facts.append(text)

    def fault(self, text):
        self.faults.append(text)

    def check(self, holds, text):
        if not holds:
            self.fault(text)
        return holds

    def add(self, where, faults):
        """Faults of one run out of many."""
        self.faults += [f"{where}: {fault}" for fault in faults]

    def skip(self, reason):
        self.skips.append(reason)

    @property
    def is_untried(self):
        return bool(self.skips) and not self.facts and not self.faults

    def lines(self):
        seconds = time.monotonic() - self.start
        verdict = "FAIL" if self.faults else "SKIPPED" if self.is_untried else "ok"
        yield f"{self.name:<9} {', '.join(self.facts + [f'{seconds:.0f} s'])}: {verdict}"
        for reason in self.skips:
            yield f"          SKIPPED: {reason}"
        for fault in self.faults[:self.SHOWN]:
            yield f"          {fault}"
        if len(self.faults) > self.SHOWN:
            yield f"          and {len(self.faults) - self.SHOWN} more"
