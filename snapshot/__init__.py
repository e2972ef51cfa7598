"""Monthly snapshots: the results of a month as they stood at its end, frozen for good."""
