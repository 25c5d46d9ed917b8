if $a && $b { }
if $a || $b { }
if $a === $b { }
