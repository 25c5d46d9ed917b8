# An hour of the day.
type Backup::Hour = Integer[0, 23]
