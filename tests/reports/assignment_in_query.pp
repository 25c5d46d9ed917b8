File <| title = '/x' |>
