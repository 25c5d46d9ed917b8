"""What Ruby code may use so that it only computes (:mod:`bunraku.ruby.syntax.purity`): methods and constants.

Methods are known by their names alone, which is enough because the values that code can get hold of are those of the constants
here and of Puppet: texts, numbers, arrays, hashes, types.
"""

from __future__ import annotations

from collections.abc import Mapping


def listed_words(text: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(text.split())


REFUSED_NODES: Mapping[str, str] = {
    "subshell": "runs a program",
    "undef": "changes methods",
    "begin_block": "runs when the file is loaded",
    "end_block": "runs when Ruby ends",
    "uninterpreted": "reads its own file",
    "ERROR": "cannot be parsed as Ruby",
}
FRAMES = frozenset(
    {
        "Puppet",
        "Puppet::Parser",
        "Puppet::Parser::Functions",
        "Puppet::Functions",
        "Parser",
        "Functions",
    }
)
"""Modules around the definition of a function."""
KERNEL = listed_words(
    """
    rand srand gets fork exit abort binding caller sleep readline readlines local_variables
    global_variables block_given? __dir__ __method__ __callee__ object_id hash inspect method
    """
)
"""Methods of every object that do more than compute, or whose result differs in each process."""
CREATORS = frozenset({"create_function", "newfunction"})
KERNEL_FUNCTIONS = listed_words(
    """
    abort at_exit autoload autoload? binding caller caller_locations eval exec exit exit! fork gets
    global_variables initialize_clone initialize_copy initialize_dup load local_variables open p pp print printf
    putc puts rand readline readlines respond_to_missing? select set_trace_func sleep spawn srand syscall system
    test trace_var trap untrace_var warn method_missing
    """
)
"""Functions of Ruby that do more than compute: only a method of the same class is called in their place."""
REFLECTION = listed_words(
    """
    send __send__ public_send instance_eval instance_exec class_eval class_exec module_eval module_exec
    define_method define_singleton_method instance_variable_get instance_variable_set const_get const_set
    remove_const remove_method undef_method method instance_method public_method singleton_method methods
    object_id __id__ hash to_proc to_enum enum_for
    """
)
"""Methods of every object that call others by name, change classes, or differ in each process."""
OF_TEMPLATES = (
    KERNEL
    | KERNEL_FUNCTIONS
    | REFLECTION
    | listed_words(
        """
    display extend singleton_methods public_methods private_methods protected_methods instance_variables
    remove_instance_variable file= result scope require_relative ` pp require
    """
    )
)
"""Methods that templates have by themselves and that do more than compute."""
SENDERS = frozenset({"send", "public_send", "__send__"})
DECLARATIONS = listed_words(
    """
    dispatch param required_param optional_param repeated_param optional_repeated_param
    required_repeated_param block_param optional_block_param required_block_param return_type
    argument_mismatch local_types type scope_param newfunction create_function
    """
)
"""Calls that declare a function and its parameters."""
ATTRIBUTES = frozenset({"attr_reader", "attr_writer", "attr_accessor"})
IN_CLASSES = ATTRIBUTES | listed_words(
    """
    private public protected module_function private_class_method public_class_method private_constant include
    extend alias_method new
    """
)
"""Calls in the body of a class or module."""
CALLS = listed_words(
    """
    raise fail format sprintf Integer Float String Array Hash Rational URI lambda proc loop catch throw
    call_function lookupvar block_given? warning debug info notice err private closure_scope _ N_ n_
    catalog compiler environment findresource lookupdefaults resource topscope source __dir__ __FILE__
    instance_variables classes all_tags tags
    """
)
"""Methods without a receiver; those of Puppet log, or are answered by the recorded compile."""
SCOPE_METHODS = listed_words(
    """
    lookupvar [] include? exist? call_function warning debug info notice catalog compiler environment
    find_global_scope findresource lookupdefaults resource topscope source bound? to_s
    """
)
"""Methods of a scope: the recorded compile answers them."""
SCOPES = frozenset({"scope", "closure_scope"})
METHODS = listed_words(
    """
    each each_pair each_with_index each_index each_key each_value reverse_each each_slice times map
    collect flat_map select reject find detect find_all partition group_by sort sort_by uniq compact
    flatten join split strip lstrip rstrip chomp chop gsub sub tr squeeze delete delete_if keys values
    key? has_key? include? member? empty? nil? is_a? kind_of? instance_of? to_s to_i to_f to_a to_sym
    length size count first last push concat unshift merge update upcase downcase capitalize swapcase
    start_with? end_with? match match? any? all? none? max min sum reverse zip index fetch dig ljust
    rjust center values_at slice reduce inject upto downto even? odd? zero? abs succ next + - * << & |
    call [] key merge! map! collect! select! reject! compact! flatten! uniq! sort! sort_by! reverse!
    keep_if store clear replace insert pop shift append prepend transform_values transform_keys
    each_with_object each_cons each_char each_line each_byte each_entry filter filter_map min_by max_by
    minmax tally take take_while drop drop_while cycle product combination permutation transpose rotate
    find_index rindex assoc rassoc one? to_h to_set to_r to_c to_str to_ary to_hash invert default value?
    has_value? fetch_values rehash compare_by_identity union intersection difference subset? superset?
    disjoint? add chars bytes lines codepoints scan sub! gsub! strip! lstrip! rstrip! chomp! chop!
    upcase! downcase! capitalize! squeeze! tr! tr_s delete! slice! succ! next! rpartition casecmp
    casecmp? ord chr hex oct unpack unpack1 pack b crypt encode force_encoding unicode_normalize
    valid_encoding? ascii_only? encoding bytesize byteslice getbyte delete_prefix delete_suffix =~ !~ % /
    == != <=> === eql? equal? ! ^ >> ** < > <= >= -@ +@ ~ captures named_captures names pre_match
    post_match begin end offset source options to_regexp to_json to_yaml pretty_generate freeze frozen?
    dup clone itself then tap respond_to? inspect grep grep_v delete_at digest versioncmp class name
    ancestors floor ceil round truncate divmod modulo fdiv div pow pred integer? finite? nan? infinite?
    positive? negative? nonzero? bit_length digits gcd lcm step clamp between? numerator denominator
    coerce magnitude message unwrap sensitive? ipv4? ipv6? to_range mask prefix hton ip6_arpa ip6_string
    ip4_arpa ipv4_mapped private? loopback? link_local? scheme host port path query fragment userinfo
    user password opaque hostname hexdigest at basename extname shellescape shelljoin shellsplit resources classes
    exported? virtual? ref tagged? lookupdefaults catalog compiler environment
    find_global_scope findresource lookupvar parameters resource title topscope type value lazy force with_index with_object with_default is_hash?
    []= abs2 absolute absolute? add? allbits? angle anybits? arg arity ascii_compatible? authority base64digest
    base64digest! beginning_of_line? binmode block_length bol? bsearch bsearch_index bump canonical_segments
    casefold? chain charpos check check_until chunk chunk_while classify close closed? collect_concat
    compare_by_identity? component conj conjugate cover? deconstruct deconstruct_keys default= default_port
    default_proc default_proc= delete? delete_prefix! delete_suffix! digest! digest_length divide dummy? dump
    each_codepoint each_grapheme_cluster eager encode! entries eof? eos? except exception exclude_end? exists?
    family feed fill filter! fixed_anchor? fixed_encoding? fragment= gcdlcm grapheme_clusters hexdigest! host=
    hostname= imag imaginary intern intersect? ip6_int ipv4_compat ipv4_compat? ipv4_mapped? lambda? match_length
    matched matched? matched_size members minmax_by netmask next_float next_values nobits? normalize normalize!
    opaque= origin password= path= peek peek_values phase pointer pointer= polar port= pos pos= prefix=
    prerelease? prev_float proper_subset? proper_superset? query= quo rand rationalize readline readlines real
    real? rect rectangular regexp relative? remainder repeated_combination repeated_permutation request_uri reset
    rest rest? rest_size rewind rotate! route_from route_to scan_until scheme= scrub scrub! segments setbyte skip
    skip_until slice_after slice_before slice_when string subtract swapcase! terminate to_enum to_int to_string
    tr_s! transform_keys! transform_values! unicode_normalize! unicode_normalized? unscan user= userinfo= value=
    version yield_self zone_id zone_id= read resource_type tags all_tags not_found cached_value cache_has_key
    cache cache_all cached_entries cached_file_data interpolate explain environment_name module_name source
    known_resource_types
    loadall pretty_inspect loaded? load loaders private_environment_loader
    public_environment_loader strftime dispatcher dispatch hash_style? to_java_bytes
    """
)
"""Methods of Ruby's values, IPAddr, URI, Set, Digest and files that compute only from their receiver and arguments. Those of
scopes, catalogs, resources and contexts of Hiera are answered by the recorded compile.
"""
ERRORS = listed_words(
    """
    ArgumentError TypeError StandardError RuntimeError KeyError IndexError NameError NoMethodError
    RangeError Exception FrozenError StopIteration ZeroDivisionError FloatDomainError
    EncodingError Puppet::ParseError Puppet::Error Puppet::DevError Puppet::PreformattedError
    IPAddr::Error IPAddr::InvalidAddressError IPAddr::InvalidPrefixError IPAddr::AddressFamilyError
    URI::InvalidURIError URI::InvalidComponentError URI::Error JSON::ParserError JSON::JSONError
    JSON::GeneratorError Psych::SyntaxError YAML::SyntaxError RegexpError LoadError NotImplementedError
    Puppet::DataBinding::LookupError IOError EOFError SystemCallError Errno::ENOENT Errno::EACCES Errno::ENOTDIR
    Encoding::UndefinedConversionError Encoding::InvalidByteSequenceError
    """
)
CONSTANTS = ERRORS | listed_words(
    """
    Array Hash String Symbol Integer Fixnum Float Numeric NilClass TrueClass FalseClass RUBY_VERSION
    RUBY_ENGINE Rational Complex Proc Method Regexp Range MatchData Comparable Enumerable Enumerator Set
    IPAddr URI::HTTP URI::HTTPS URI::Generic URI::FTP Encoding::UTF_8 Encoding::ASCII_8BIT
    Encoding::BINARY Encoding::US_ASCII Regexp::IGNORECASE Regexp::MULTILINE Regexp::EXTENDED
    Puppet::Functions::InternalFunction Puppet::Functions::Function
    Puppet::Pops::Types::PSensitiveType::Sensitive Puppet::Pops::Types::PRegexpType
    Puppet::Pops::Types::PAnyType Puppet::Pops::Time::Timestamp Puppet::Pops::Time::Timespan
    Puppet::Resource Puppet::Parser::Resource Float::INFINITY Float::NAN Float::EPSILON Float::MAX
    Float::MIN Math::PI Math::E Bignum NIL TRUE FALSE IPAddr::IN4MASK IPAddr::IN6MASK Socket::AF_INET
    Socket::AF_INET6 SortedSet Object BasicObject
    """
)
"""Constants that stand for themselves: classes in tests and errors, and numbers."""
KEYED = frozenset({"[]", "key?", "has_key?", "include?", "member?", "fetch", "dig", "nil?"})
"""Methods of a hash that read one of its keys."""
RUBY_CONSTANTS = listed_words(
    """
    ARGF ARGV Addrinfo ArgumentError Array Base64 BasicObject BasicSocket Benchmark BigDecimal BigMath Bignum
    Binding CGI CROSS_COMPILING CSV Class ClosedQueueError Comparable Complex ConditionVariable Date DateTime
    Delegator DidYouMean Digest Dir ENV EOFError ERB Encoding EncodingError Enumerable Enumerator Errno
    ErrorHighlight Etc Exception Facter FalseClass Fiber FiberError File FileTest FileUtils Find Fixnum Float
    FloatDomainError Forwardable FrozenError GC Gem Hash Hiera IO IOError IPAddr IPSocket IRB IndexError Integer
    Interrupt JSON Kernel KeyError LoadError LocalJumpError Logger Marshal MatchData Math Matrix Method Module
    Monitor MonitorMixin Mutex NameError Net NilClass NoMatchingPatternError NoMatchingPatternKeyError
    NoMemoryError NoMethodError NotImplementedError Numeric Object ObjectSpace Observable Open3 OpenSSL OpenStruct
    PP PSON PStore Pathname Prime Proc Process Psych Puppet Queue REXML RUBYGEMS_ACTIVATION_MONITOR RUBY_COPYRIGHT
    RUBY_DESCRIPTION RUBY_ENGINE RUBY_ENGINE_VERSION RUBY_PATCHLEVEL RUBY_PLATFORM RUBY_RELEASE_DATE RUBY_REVISION
    RUBY_VERSION Racc Ractor Rake Random Range RangeError Rational RbConfig Refinement Regexp RegexpError Resolv
    Ripper RubyVM RuntimeError STDERR STDIN STDOUT ScanError ScriptError SecureRandom SecurityError Set Shellwords
    Signal SignalException SimpleDelegator SingleForwardable Singleton SizedQueue Socket SocketError SortedSet
    StandardError StopIteration String StringIO StringScanner Struct Symbol SyntaxError SystemCallError SystemExit
    SystemStackError TCPServer TCPSocket TOPLEVEL_BINDING TSort Tempfile Thread ThreadError ThreadGroup Time
    Timeout TracePoint TrueClass Tsort TypeError UDPSocket UNIXServer UNIXSocket URI UnboundMethod
    UncaughtThrowError UnicodeNormalize WEBrick Warning YAML ZeroDivisionError Zlib
    """
)
"""Constants that Ruby has by itself, in part as soon as a library is loaded."""
NEW = frozenset({"new"})
CLASS_METHODS: Mapping[str, frozenset[str]] = {
    "Array": NEW | {"[]", "try_convert"},
    "Hash": NEW | {"[]", "try_convert"},
    "String": NEW,
    "Regexp": NEW | {"escape", "quote", "union", "compile", "last_match"},
    "Set": NEW | {"[]"},
    "Integer": frozenset({"sqrt"}),
    "Range": NEW,
    "IPAddr": NEW | {"new_ntoh", "ntop", "const_defined?"},
    "URI": listed_words(
        """
    parse escape unescape encode_www_form decode_www_form encode_www_form_component
    decode_www_form_component join split extract regexp encode_uri_component decode_uri_component
    """
    ),
    "URI::DEFAULT_PARSER": frozenset({"escape", "unescape", "parse"}),
    "JSON": frozenset(
        {"parse", "parse!", "generate", "pretty_generate", "dump", "load", "load_file"}
    ),
    **dict.fromkeys(
        ("YAML", "Psych"),
        frozenset({"load", "dump", "safe_load", "load_file", "safe_load_file"}),
    ),
    "Base64": frozenset(
        [
            "encode64",
            "decode64",
            "strict_encode64",
            "strict_decode64",
            "urlsafe_encode64",
            "urlsafe_decode64",
        ]
    ),
    "Math": listed_words(
        """
    sqrt log log2 log10 exp sin cos tan pow cbrt hypot floor
    """
    ),
    "CGI": frozenset(
        {"escape", "unescape", "escapeHTML", "unescapeHTML", "escape_html", "unescape_html"}
    ),
    "ERB::Util": frozenset({"url_encode", "html_escape", "u", "h"}),
    "Shellwords": listed_words(
        """
    escape shellescape split join shellsplit shelljoin shellwords
    """
    ),
    "File": listed_words(
        """
    basename extname dirname join split expand_path absolute_path absolute_path? exist? exists? file? directory?
    readable? read binread readlines foreach open zero? empty?
    """
    ),
    "IO": frozenset({"read", "binread", "readlines", "foreach"}),
    "Struct": NEW,
    "OpenStruct": NEW,
    "StringScanner": NEW,
    "StringIO": NEW,
    "Date": frozenset({"new", "valid_date?", "leap?"}),
    "ENV": frozenset({"[]", "fetch", "key?", "has_key?", "include?"}),
    "Dir": frozenset({"exist?", "exists?", "glob", "[]"}),
    "Proc": NEW,
    "OpenSSL::Digest": NEW | {"digest", "hexdigest"},
    "Puppet::Resource": NEW,
    "Puppet::Pops::Types::TypeCalculator": frozenset({"infer", "infer_set"}),
    "Puppet::Pops::Types::Iterable": frozenset({"asserted_iterable"}),
    "Puppet::Pops::Serialization::ToDataConverter": frozenset({"convert"}),
    "SemanticPuppet::Version": NEW | {"parse", "valid?"},
    "SemanticPuppet::VersionRange": NEW | {"parse"},
    "Puppet::Module": frozenset({"find"}),
    "Puppet::Parser::Files": frozenset({"find_file", "find_template"}),
    "Puppet::FileSystem": frozenset({"exist?", "file?", "directory?", "read", "binread"}),
    "Puppet::Parser::Resource::Param": NEW,
    "Puppet::Pops::Lookup::HieraConfig": frozenset({"symkeys_to_string"}),
    "Facter": frozenset({"value"}),
    "PP": frozenset({"pp", "singleline_pp"}),
    "Zlib": frozenset({"crc32", "adler32"}),
    "Puppet": listed_words(
        """
    warning debug info notice err deprecation_warning warn_once version lookup
    """
    ),
    "Puppet::Functions": CREATORS,
    "Puppet::Parser::Functions": CREATORS | {"autoloader", "function", "rvalue?"},
    "Puppet::Util::Package": frozenset({"versioncmp"}),
    "Puppet::Util::Json": frozenset({"load", "dump"}),
    "Kernel": listed_words(
        """
    format sprintf Integer Float String Array raise fail
    """
    ),
    "OpenSSL::HMAC": NEW | {"hexdigest", "digest", "base64digest"},
    "OpenSSL::PKCS5": frozenset({"pbkdf2_hmac", "pbkdf2_hmac_sha1"}),
    "OpenSSL::KDF": frozenset({"pbkdf2_hmac"}),
    "Gem::Version": NEW | {"correct?"},
    "URI::Generic": NEW | {"build", "build2"},
    "URI::HTTP": frozenset({"build"}),
    "URI::HTTPS": frozenset({"build"}),
    "PSON": frozenset({"load", "parse", "generate", "pretty_generate"}),
    "Puppet::Pops::Types::PSensitiveType::Sensitive": NEW,
    "Puppet::Util": frozenset({"absolute_path?", "deterministic_rand", "deterministic_rand_int"}),
    **{
        f"{module}::{name}": frozenset({"hexdigest", "digest", "base64digest", "new"})
        for module in ("Digest", "OpenSSL::Digest")
        for name in ("MD5", "SHA1", "SHA256", "SHA384", "SHA512")
    },
    **dict.fromkeys(ERRORS, NEW),
}
"""Methods of modules and classes that compute only from their arguments."""
LIBRARIES = listed_words(
    """
    ipaddr uri json yaml psych digest digest/md5 digest/sha1 digest/sha2 digest/sha2.so openssl base64
    set cgi erb shellwords bigdecimal zlib strscan English puppet puppet/parser/functions puppet/util
    puppet/error puppet/functions puppet/parser puppet/parser/files puppet/module facter ostruct stringio date time
    pp delegate forwardable fileutils tempfile tmpdir pathname open3 net/http net/https securerandom socket etc
    resolv timeout rexml/document csv rubygems psych yaml/store find benchmark digest/sha1 optparse
    matrix prime abbrev singleton observer tsort logger
    """
)
"""Libraries that a file may load: those of the constants above, and parts of Puppet that are there already."""
NAMED = METHODS - KERNEL_FUNCTIONS
"""Methods that code may call by a symbol: such a call can reach functions of Ruby, too."""
PUPPET = ("puppet/", "facter/", "hiera/")
"""How the names of files begin that this program has, or stands in for, unless a module has them."""
BY_NAME = frozenset({"inject", "reduce"})
"""Methods that call a method whose name they are given."""
