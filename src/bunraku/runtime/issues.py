"""What can go wrong while a manifest runs; codes are Puppet's where it has one."""

from __future__ import annotations

from bunraku.errors import Issue

# -- calls -----------------------------------------------------------------------------------------
WRONG_ARGUMENT_COUNT = Issue(
    "ILLEGAL_ARGUMENT_COUNT", "'{name}' expects {expected} arguments, got {actual}"
)
ILLEGAL_ARGUMENT = Issue("TYPE_MISMATCH", "{text}")
UNKNOWN_FUNCTION = Issue("UNKNOWN_FUNCTION", "Unknown function: '{name}'")
REQUIRED_AFTER_OPTIONAL = Issue(
    "REQUIRED_PARAMETER_AFTER_OPTIONAL",
    "${name} must be given, but stands after parameters that need not be",
    hint="give it a default, or move it to the front",
)
ILLEGAL_CONTROL = Issue("ILLEGAL_CONTROL", "{name}() from context where this is illegal")
OUT_OF_MEMORY = Issue("OUT_OF_MEMORY", "There is not enough memory for what this code makes")
TOO_MANY_RESOURCES = Issue(
    "TOO_MANY_RESOURCES",
    "There are more than {limit} resources",
    hint="look for a define that declares itself without end",
)
RECURSION = Issue(
    "STACK_LEVEL_TOO_DEEP",
    "The calls nest too deep",
    hint="look for a function, class or define that calls itself without end",
)

# -- variables -------------------------------------------------------------------------------------
UNKNOWN_VARIABLE = Issue("UNKNOWN_VARIABLE", "Unknown variable: '{name}'")
ILLEGAL_REASSIGNMENT = Issue("ILLEGAL_REASSIGNMENT", "Cannot reassign variable '${name}'")
ILLEGAL_RESERVED_ASSIGNMENT = Issue(
    "ILLEGAL_RESERVED_ASSIGNMENT", "Attempt to assign to a reserved variable name: '${name}'"
)
MULTI_ASSIGNMENT_SIZE = Issue(
    "ILLEGAL_MULTI_ASSIGNMENT_SIZE",
    "Mismatched number of assignable entries and values, expected {expected}, got {actual}",
)
MISSING_MULTI_ASSIGNMENT_KEY = Issue(
    "MISSING_MULTI_ASSIGNMENT_KEY", "No value for required key '{key}' in assignment from a Hash"
)
MISSING_MULTI_ASSIGNMENT_VARIABLE = Issue(
    "MISSING_MULTI_ASSIGNMENT_VARIABLE", "No value for required variable '${name}' in assignment"
)
ILLEGAL_MULTI_ASSIGNMENT = Issue("ILLEGAL_ASSIGNMENT", "Cannot assign {value} to several variables")

# -- operators -------------------------------------------------------------------------------------
NOT_NUMERIC = Issue("NOT_NUMERIC", "The value '{value}' cannot be converted to Numeric", hint=None)
NUMERIC_COERCION = Issue(
    "NUMERIC_COERCION",
    "The string '{before}' was automatically coerced to the numerical value {after}",
    hint="convert first, for example Integer($x)",
)
NUMERIC_OVERFLOW = Issue(
    "NUMERIC_OVERFLOW",
    "A '{operator}' expression resulted in a value outside of the Integer range: {value}",
)
DIV_BY_ZERO = Issue("DIV_BY_ZERO", "Division by 0")
RESULT_IS_INFINITY = Issue(
    "RESULT_IS_INFINITY", "The result of the {operator} expression is Infinity"
)
OPERATOR_NOT_APPLICABLE = Issue(
    "OPERATOR_NOT_APPLICABLE", "Operator '{operator}' is not applicable to {left}"
)
APPEND_TO_HASH = Issue(
    "RUNTIME_ERROR", "Only a Hash, or an Array that makes one, can be added to a Hash, not {right}"
)
COMPARISON_NOT_POSSIBLE = Issue(
    "COMPARISON_NOT_POSSIBLE", "Comparison of: {left} {operator} {right}, is not possible"
)
MATCH_NOT_STRING = Issue(
    "MATCH_NOT_STRING", "Left match operand must result in a String value. Got {left}"
)
MATCH_NOT_REGEXP = Issue(
    "MATCH_NOT_REGEXP", "Can not convert right match operand to a regular expression: {detail}"
)
UNMATCHED_SELECTOR = Issue(
    "UNMATCHED_SELECTOR", "No matching entry for selector parameter with value '{value}'"
)
BAD_STRING_SLICE_ARITY = Issue(
    "BAD_STRING_SLICE_ARITY", "A String takes one or two indexes, got {count}"
)
BAD_STRING_SLICE_TYPE = Issue(
    "BAD_STRING_SLICE_KEY_TYPE", "The index of a String must be an Integer, got {kind}"
)
BAD_ARRAY_SLICE_ARITY = Issue(
    "BAD_ARRAY_SLICE_ARITY", "An Array takes one or two indexes, got {count}"
)
BAD_SLICE_KEY_TYPE = Issue(
    "BAD_SLICE_KEY_TYPE", "The index of an Array must be an Integer, got {kind}"
)
EMPTY_SLICE = Issue("BAD_HASH_SLICE_ARITY", "A Hash takes at least one key")
UNKNOWN_RESOURCE_PARAMETER = Issue(
    "UNKNOWN_RESOURCE_PARAMETER",
    "The resource {reference} does not have a parameter called '{name}'",
)
UNKNOWN_RESOURCE = Issue("UNKNOWN_RESOURCE", "Resource not found: {reference}")

# -- definitions and resources ---------------------------------------------------------------------
UNKNOWN_CLASS = Issue("RUNTIME_ERROR", "Could not find class {name} for {node}")
UNKNOWN_RESOURCE_TYPE = Issue("UNKNOWN_RESOURCE_TYPE", "Resource type not found: {name}")
UNKNOWN_TYPE_IN_STATEMENT = Issue("RUNTIME_ERROR", "Unknown resource type: '{name}'")
ILLEGAL_RESOURCE_TYPE = Issue(
    "ILLEGAL_RESOURCE_TYPE",
    "Illegal Resource Type expression, expected a type name or a Resource without title, got {got}",
)
MISSING_TITLE = Issue("MISSING_TITLE", "Missing title. The title expression resulted in undef")
MISSING_TITLE_AT = Issue(
    "MISSING_TITLE_AT", "Missing title at index {index}. The title expression resulted in undef"
)
EMPTY_STRING_TITLE_AT = Issue(
    "EMPTY_STRING_TITLE_AT", "Empty string title at {index}; a title has at least one character"
)
ILLEGAL_TITLE_TYPE_AT = Issue(
    "ILLEGAL_TITLE_TYPE_AT", "Illegal title type at index {index}. Expected String, got {kind}"
)
DUPLICATE_TITLE = Issue(
    "DUPLICATE_TITLE", "The title '{title}' has already been used in this resource expression"
)
DUPLICATE_ATTRIBUTE = Issue("DUPLICATE_ATTRIBUE", "The attribute '{name}' has already been set")
NOT_A_HASH = Issue("TYPE_MISMATCH", "Expected value of type Hash, got {kind}")
ILLEGAL_CLASS_FORM = Issue("CLASS_NOT_VIRTUALIZABLE", "A class cannot be virtual or exported")
DUPLICATE_DECLARATION = Issue(
    "RUNTIME_ERROR",
    "Duplicate declaration: {reference} is already declared{place}; cannot redeclare",
)
DIFFERENT_PARENTS = Issue(
    "DIFFERENT_PARENTS",
    "The class '{name}' inherits from '{parent}' in one place and from '{other}' in another",
)
DUPLICATE_DEFINITION = Issue(
    "RUNTIME_ERROR", "{kind} '{name}' is already defined{place}; cannot redefine"
)
UNKNOWN_PARAMETER = Issue("RUNTIME_ERROR", "no parameter named '{name}' on {reference}")
PARAMETERS = Issue("RUNTIME_ERROR", "{text}")
CANNOT_OVERRIDE = Issue(
    "RUNTIME_ERROR",
    "Parameter '{name}' is already set on {reference}{place}; cannot redefine",
)
OVERRIDE_NOT_FOUND = Issue(
    "RUNTIME_ERROR", "Could not find resource(s) {references} for overriding"
)
NOT_REALIZED = Issue("RUNTIME_ERROR", "Failed to realize virtual resources {references}")
RELATION_TARGET_MISSING = Issue(
    "RUNTIME_ERROR", "Could not find resource '{target}' in parameter '{name}' of {reference}"
)
RELATION_END_MISSING = Issue(
    "RUNTIME_ERROR", "Could not find resource '{missing}' for relationship on '{other}'"
)
ILLEGAL_RELATION = Issue(
    "ILLEGAL_RELATIONSHIP_OPERAND_TYPE", "{value} cannot form a relationship; only resources can"
)
INVALID_TAG = Issue("RUNTIME_ERROR", "Invalid tag '{tag}'")
STAGE_ON_RESOURCE = Issue(
    "RUNTIME_ERROR",
    "Only classes can set 'stage'; normal resources like {reference} cannot change run stage",
)
UNKNOWN_STAGE = Issue("RUNTIME_ERROR", "Could not find stage {stage} specified by {reference}")
ALIAS_TAKEN = Issue(
    "RUNTIME_ERROR", "Cannot alias {reference} to {alias}: {other} is already declared{place}"
)
DEPENDENCY_CYCLE = Issue(
    "DEPENDENCY_CYCLE",
    "The relationships form a cycle: {path}",
    hint="drop one of these relationships, or compile with --no-cycles",
)
NO_NODE = Issue(
    "RUNTIME_ERROR",
    "Could not find a node definition for '{names}' nor a default one",
)
EXPORT_IGNORED = Issue(
    "RT_NO_STORECONFIGS_EXPORT",
    "You cannot collect exported resources without storeconfigs being set; the export is ignored",
)
COLLECTED_TWICE = Issue(
    "COLLECTED_TWICE",
    "{reference}, which {node} exports, cannot be collected: there is such a resource{place}",
)
COLLECT_IGNORED = Issue(
    "RT_NO_STORECONFIGS",
    "You cannot collect exported resources without storeconfigs being set;"
    " the collection will be ignored",
)
INHERITANCE_CYCLE = Issue("RUNTIME_ERROR", "Class {name} inherits from itself through {path}")
PARENT_NOT_FOUND = Issue("RUNTIME_ERROR", "Could not find class {parent}, the parent of {name}")
COLLECT_CLASS = Issue("CLASS_NOT_VIRTUALIZABLE", "Classes cannot be collected")
NON_COLLECTIBLE_TYPE = Issue("UNSUPPORTED_QUERY", "Such a query cannot be asked of resources")
GENERATION_LIMIT = Issue(
    "RUNTIME_ERROR", "Somehow looped more than 1000 times while evaluating collectors and defines"
)
TEMPLATE_NOT_FOUND = Issue("RUNTIME_ERROR", "Could not find template '{name}'")
ERB_NEEDS_RUBY = Issue(
    "ERB_NEEDS_RUBY", "{name} is an ERB template; this version of bunraku renders EPP only"
)
EPP_PARAMETERS = Issue("RUNTIME_ERROR", "{name}: {text}")
TYPE_SET_NOT_FOUND = Issue(
    "RUNTIME_ERROR",
    "TypeSet {name} refers to TypeSet {other} in version {range}, which is not there",
)
ALIAS_NOT_A_TYPE = Issue("RUNTIME_ERROR", "The right side of type alias {name} is not a type")
ALIAS_OF_ITSELF = Issue("RUNTIME_ERROR", "Type alias {name} leads to no type but itself")
UNKNOWN_PARENT = Issue(
    "RUNTIME_ERROR", "The Object type {name} has the parent '{parent}', which nobody knows"
)
OBJECT_OF_ITSELF = Issue("RUNTIME_ERROR", "The Object type {name} inherits from itself")
DEFAULT_ALREADY_SET = Issue(
    "RUNTIME_ERROR", "Default already defined for {type} {{ {name} }}; cannot redefine"
)
ILLEGAL_OVERRIDDEN_TYPE = Issue(
    "ILLEGAL_OVERRIDDEN_TYPE", "Only resource references can be overridden, not {got}"
)
ONLY_SUBCLASSES = Issue(
    "RUNTIME_ERROR", "Only subclasses can override parameters; {reference} is another's"
)
ALREADY_EVALUATED = Issue(
    "RUNTIME_ERROR", "Attempt to override an already evaluated resource, {reference}{place}"
)
UNREADABLE_FILE = Issue("UNREADABLE_FILE", "Could not read {path}: {reason}")
NUMERIC_PARAMETER = Issue(
    "RUNTIME_ERROR", "The parameter ${name} cannot be set: match variables are called so"
)
IMPORT_LOOP = Issue("RUNTIME_ERROR", "{path} imports itself")
UNKNOWN_LANGUAGE = Issue(
    "UNKNOWN_LANGUAGE",
    "language {language} with follow {follow} is not supported",
    hint="there are 8, 3.8, 3.8-future and 3.0, each with --follow puppet or documents",
)
PARAMETER_NOT_EVALUATED = Issue("PARAMETER_NOT_EVALUATED", "${name}")
EARLY_ACCESS = Issue(
    "RUNTIME_ERROR",
    "{reference}: the default of ${name} illegally accesses {other}, which has no value yet",
)
NOT_A_REFERENCE = Issue(
    "RUNTIME_ERROR", "'{text}' in parameter '{name}' of {reference} is not a resource reference"
)
OPERATOR_NOT_APPLICABLE_WHEN = Issue(
    "OPERATOR_NOT_APPLICABLE_WHEN",
    "Operator '{operator}' is not applicable to {left} when right side is {right}",
)
TIMES_DO_NOT_MIX = Issue("RUNTIME_ERROR", "{text}")
UNTITLED_REFERENCE = Issue(
    "RUNTIME_ERROR", "Parameter '{name}' of {reference} refers to a resource without a title"
)

# -- objects of Ruby -------------------------------------------------------------------------------
RUNTIME_CONVERSION = "RUNTIME_VALUE_CONVERTED"
RUBY_CLASS_IN_CATALOG = Issue(
    "RUBY_CLASS_IN_CATALOG",
    "{path} contains the Ruby class {text}, which cannot be written to a catalog",
    hint="return its name from the Ruby function: to_s",
)
