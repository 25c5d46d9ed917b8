# Some words were not reserved.
# rules: reserved-words at 4
$kind = {
  'of' => type,
}
notify { "${kind['of']}": }
