# @summary Builds it.
# @param targets Where.
# @param force [Boolean] Really?
plan stage::build (
  TargetSpec $targets,
  Boolean $force = false,
) {
  $r = run_task('stage::build', $targets)
  apply($targets) { include stage }
  return $r
}
