require 'yaml'

module PuppetX
  module Layers
    # The layers of one level of the hierarchy.
    class Stack
      def initialize(options, context)
        @folder = options['folder']
        @layers = options['layers']
        @context = context
      end

      def find(key)
        return @context.cached_value(key) if @context.cache_has_key(key)

        data = @context.cached_value(nil)
        @context.cache(nil, data = everything) if data.nil?
        @context.not_found unless data.key?(key)
        @context.explain { "#{key} stands in #{@layers.size} layers" }
        @context.cache(key, @context.interpolate(data[key]))
      end

      private

      def everything
        paths = @layers.map { |layer| File.join(@folder, "#{layer}.yaml") }
        paths.select { |path| File.exist?(path) }.map { |path| content(path) }.reduce({}) { |merged, one| combine(merged, one) }
      end

      def content(path)
        @context.cached_file_data(path) { |text| YAML.safe_load(text, permitted_classes: [Symbol], aliases: true) }
      end

      def combine(below, above)
        below.merge(above) do |_key, old, new|
          if old.is_a?(Hash) && new.is_a?(Hash)
            combine(old, new)
          elsif old.is_a?(Array) && new.is_a?(Array)
            old | new
          else
            new
          end
        end
      end
    end
  end
end
