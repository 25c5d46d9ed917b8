"""Names defined in every Ruby object, which therefore cannot be variables of Puppet 3."""

from __future__ import annotations

# fmt: off
KERNEL = frozenset((
    "__FILE__", "__LINE__", "__callee__", "__dir__", "__id__", "__method__", "__send__",
    "_erbout", "abort", "alias_method", "all_tags", "at_exit", "autoload", "binding",
    "block_given?", "caller", "caller_locations", "catch", "class", "classes", "clone",
    "define_singleton_method", "display", "dup", "enum_for", "eval", "exec", "exit", "extend",
    "fail", "file", "fork", "format", "freeze", "gem", "gem_original_require", "gets",
    "global_variables", "has_variable", "hash", "initialize", "initialize_clone",
    "initialize_copy", "initialize_dup", "inspect", "instance_eval", "instance_exec",
    "instance_variable_get", "instance_variable_set", "instance_variables", "iterator",
    "itself", "j", "jj", "lambda", "load", "local_variables", "loop", "method",
    "method_missing", "methods", "object_id", "open", "p", "pp", "print", "printf",
    "private_methods", "proc", "protected_methods", "public_method", "public_methods",
    "public_send", "putc", "puts", "raise", "rand", "readline", "readlines",
    "remove_instance_variable", "require", "require_relative", "respond_to_missing", "result",
    "scope", "select", "send", "set_trace_func", "singleton_class", "singleton_method",
    "singleton_method_added", "singleton_methods", "sleep", "spawn", "sprintf", "srand",
    "syscall", "system", "tags", "taint", "tap", "template_source", "test", "then", "throw",
    "timeout", "to_enum", "to_json", "to_s", "to_yaml", "trace_var", "trap", "trust",
    "undef_method", "untaint", "untrace_var", "untrust", "warn", "yield", "yield_self",
))
# fmt: on
"""Methods of ``Object`` and ``Kernel`` in any version of Ruby, and of the template itself."""
