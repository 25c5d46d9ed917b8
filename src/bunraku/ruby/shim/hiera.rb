# frozen_string_literal: true

module Puppet
  module Pops
    module Lookup
      # The helper of Puppet's configuration reader that backends call.
      class HieraConfig
        # Data with strings in the place of symbols that are keys.
        def self.symkeys_to_string(value)
          case value
          when Hash then value.to_h { |key, item| [key.is_a?(Symbol) ? key.to_s : key, symkeys_to_string(item)] }
          when Array then value.map { |item| symkeys_to_string(item) }
          else value
          end
        end
      end

      # What a backend receives as its context. The cache is here, where the backend runs; values in it
      # may be any Ruby objects. Python is asked only to interpolate, to explain, and once for each file.
      class Context
        # An expression of a variable that keeps its value all through a compile.
        STEADY = /%\{\s*(?:::)?(?:facts|trusted|server_facts)(?:\.[^}]*)?\}/.freeze

        attr_reader :environment_name, :module_name, :bunraku_handle
        attr_writer :bunraku_mode

        PLAIN, EXPLAINED = 0, 1

        def initialize(number, environment_name, module_name, files, cache)
          @bunraku_handle = number
          @environment_name = environment_name&.to_sym
          @module_name = module_name
          @files = files
          @cache = cache
        end

        def not_found
          throw :no_such_key
        end

        def explain
          Bunraku.ask('context_explain', bunraku_handle, Bunraku.encode(yield.to_s)) if @bunraku_mode == EXPLAINED
          nil
        end

        def interpolate(value)
          texts = []
          collect(value, texts)
          return copy(value) if texts.empty?

          fill(value, interpolated(texts))
        end

        def cache(key, value)
          @cache[key] = value
        end

        def cache_all(values)
          @cache.merge!(values)
          nil
        end

        def cache_has_key(key)
          @cache.key?(key)
        end

        def cached_value(key)
          @cache[key]
        end

        def cached_entries(&block)
          return @cache.to_a.each unless block

          entries = @cache.to_a
          entries.each { |key, value| block.arity == 2 ? yield(key, value) : yield([key, value]) }
          nil
        end

        def cached_file_data(path, &block)
          @files.data(path, bunraku_handle, &block)
        end

        def inspect
          "#<#{self.class.name}>"
        end

        def bunraku_cache
          @cache
        end

        private

        # Texts with their expressions replaced. Those that are steady are asked for once in a compile.
        def interpolated(texts)
          if @bunraku_mode == PLAIN
            known = texts.map { |text| steady(text) }
            return known if known.all?
          end
          Bunraku.ask('context_interpolate', bunraku_handle, texts.map { |text| Bunraku.encode(text) })
        end

        def steady(text)
          replaced = true
          found = text.gsub(STEADY) { |expression| (replaced && Bunraku.steady_text(bunraku_handle, expression)) || (replaced = false).to_s }
          found if replaced && !found.include?('%{')
        end

        # The strings in which there is something to replace, in the order in which Puppet finds them.
        def collect(value, texts)
          case value
          when String then texts << value if value.include?('%{')
          when Array then value.each { |item| collect(item, texts) }
          when Hash
            value.each do |key, item|
              collect(key, texts)
              collect(item, texts)
            end
          end
        end

        def copy(value)
          case value
          when Array then value.map { |item| copy(item) }
          when Hash then value.transform_values { |item| copy(item) }
          else value
          end
        end

        def fill(value, found)
          case value
          when String then value.include?('%{') ? found.shift : value
          when Array then value.map { |item| fill(item, found) }
          when Hash
            value.each_with_object({}) do |(key, item), made|
              key = fill(key, found)
              made[key] = fill(item, found)
            end
          else value
          end
        end
      end
    end
  end
end

module Bunraku
  # What backends made of files in one environment, for as long as the files stay what they are.
  class FileData
    Entry = Struct.new(:data, :stamp, :text)
    JUST_NOW = 2.1 # seconds in which a file may change again and keep its time

    def initialize
      @entries = {}
    end

    # The value for a path: what the block makes of its text, else the text.
    def data(path, context)
      path = path.to_s
      found = @entries[path]
      return found.data if found && current?(path, found)

      known = Bunraku.ask('file_data', context, path)
      return keep(path, known['value'], known) if known.key?('value')

      text = text_of(path, known)
      keep(path, block_given? ? yield(text) : text, known, text)
    end

    # The value for a path that is kept, for Python.
    def kept(path)
      @entries.fetch(path).data
    end

    # In a new compile the files that only Python can read are asked for again.
    def forget_held
      @entries.delete_if { |_, entry| entry.stamp.nil? }
    end

    private

    def current?(path, entry)
      return true if entry.stamp.nil?

      stamp_of(File.stat(path)) == entry.stamp && (entry.text.nil? || File.binread(path) == entry.text.b)
    end

    def stamp_of(status)
      [status.ino, status.mtime, status.ctime, status.size]
    end

    def text_of(path, known)
      return +known['text'] if known.key?('text')
      raise Errno::ENOENT, path if known['missing']

      File.read(path, encoding: Encoding::UTF_8)
    end

    # The text is kept for a file that was changed just now: it may change without another time.
    def keep(path, data, known, text = nil)
      if known['disk']
        status = File.stat(path)
        recent = (Time.now - [status.mtime, status.ctime].max) < JUST_NOW
        @entries[path] = Entry.new(data, stamp_of(status), recent ? text || File.read(path) : nil)
      else
        @entries[path] = Entry.new(data, nil, nil)
      end
      data
    end
  end

  MOST_ENVIRONMENTS = 8
  MOST_SECONDS = 0.5 # that further calls of a backend may take together
  @contexts = {}
  @options = {}
  @file_data = {}
  @steady = {}

  class << self
    # The files of an environment, by its number.
    def file_data(environment)
      @file_data.delete(@file_data.keys.first) if @file_data.size >= MOST_ENVIRONMENTS && !@file_data.key?(environment)
      @file_data[environment] ||= FileData.new
    end

    # The text of an expression whose value cannot change; nil where it is not such.
    def steady_text(context, expression)
      @steady.fetch(expression) { @steady[expression] = ask('steady_text', context, encode(expression)) }
    end

    def decode_context(number, mode, about = nil)
      if about
        environment_name, module_name, environment, entries = about
        cache = entries.to_h { |key, value| [decode(key), decode(value)] }
        @contexts[number] = Puppet::Pops::Lookup::Context.new(number, environment_name, module_name, file_data(environment), cache)
      end
      context = @contexts.fetch(number)
      context.bunraku_mode = mode
      context
    end

    # The options of a level, which travel once; ``fresh`` is for those that Puppet makes for each call.
    # Backends may change them, but not the empty ones that a level without options has.
    def decode_options(number, fresh, content = nil)
      @options[number] = changeable(decode(content)) if content
      @options[number].freeze if content && !fresh && @options[number].empty?
      fresh ? @options.fetch(number).dup : @options.fetch(number)
    end

    def changeable(value)
      case value
      when String then +value
      when Array then value.map { |item| changeable(item) }
      when Hash then value.transform_values { |item| changeable(item) }
      else value
      end
    end

    def forget_contexts
      @contexts = {}
      @options = {}
      @steady = {}
      @file_data.each_value(&:forget_held)
    end

    # The outcomes of further calls of a backend for other keys, up to an error; a slow one gets no more.
    def more_of(frame)
      started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
      outcomes = []
      frame['more'].each_with_index do |key, index|
        break if Process.clock_gettime(Process::CLOCK_MONOTONIC) - started > MOST_SECONDS || outcomes.last&.key?('error')

        @at = index
        outcomes << reply_to(frame.merge('args' => [key, *frame['args'].drop(1)]))
      end
      outcomes
    end

    # What a backend returns, or that it has no value.
    def backend
      found = absent = nil
      catch(:no_such_key) do
        absent = true
        found = yield
        absent = false
      end
      absent ? ABSENT : found
    end
  end

  on('call') { |frame| frame['backend'] ? backend { Functions.call(frame) } : Functions.call(frame) }
  on('file_data') { |frame| file_data(frame['environment']).kept(decode(frame['path'])) }
  on('context') do |frame|
    cache = @contexts.fetch(frame['id']).bunraku_cache
    case frame['what']
    when 'entries' then cache.to_a
    when 'has' then cache.key?(decode(frame['key']))
    when 'get' then cache[decode(frame['key'])]
    when 'set' then cache[decode(frame['key'])] = decode(frame['value'])
    end
  end
end
