"""Programs that compute the custom facts of modules in a separate process.

They read a request, one JSON object, from standard input and write a JSON object on each line to
standard output: ``begin`` before a file or a fact, with its time limit, whether the fact declares it, and whether the
clock alone counts; then ``value`` or ``warn``.
"""
