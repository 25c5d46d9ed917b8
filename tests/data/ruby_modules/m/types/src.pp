type M::Src = Pattern[/^file:/]
