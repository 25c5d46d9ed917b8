# frozen_string_literal: true

# Runs rspec-puppet suites on bunraku: `rspec -r bunraku/rspec`, or `require 'bunraku/rspec'` in spec_helper.rb.

require_relative 'rspec/compiled_ruby'
Bunraku::RSpec::CompiledRuby.install unless ENV['BUNRAKU_RSPEC'] == 'off'

require_relative 'rspec/garbage'
Bunraku::RSpec::Garbage.wait # classes stay: a collection while they are loaded frees little
require 'puppet'
require_relative 'rspec/messages'
require_relative 'rspec/default_providers' # before rspec-puppet replaces methods of Puppet
require_relative 'rspec/late_types'
Bunraku::RSpec::LateTypes.put_off { require 'rspec-puppet' }
require_relative 'rspec/version'
require_relative 'rspec/engine'
require_relative 'rspec/request'
require_relative 'rspec/catalog'
require_relative 'rspec/stubs'
require_relative 'rspec/facts'
require_relative 'rspec/facts_of_examples'
require_relative 'rspec/fact_sets'
require_relative 'rspec/graphs'
require_relative 'rspec/platform'
require_relative 'rspec/resource_types'
require_relative 'rspec/ruby_code'
require_relative 'rspec/speed'
require_relative 'rspec/summary'
Bunraku::RSpec::Garbage.begin

module Bunraku
  # Catalogs of rspec-puppet, compiled by bunraku.
  module RSpec
    # Replaces the compile in rspec-puppet's adapter.
    module Adapter
      def catalog(node, exported)
        node.environment = current_environment
        node.parameters['environment'] = current_environment.name.to_s
        RSpec.catalog(node, exported) || super
      end

      def setup_puppet(*)
        Speed.prepare { super }
      end
    end

    @engine = Engine.new
    @summary = Summary.new

    class << self
      attr_reader :summary

      # Returns the catalog of a node, or nil if Puppet must compile it; the summary counts both.
      def catalog(node, exported)
        reason = Stubs.reason(node.environment)
        return compiled(Request.new(node, exported), node) unless reason

        fall_back(reason)
      rescue Unsuitable => e
        fall_back(e.message)
      end

      def install
        ::RSpec::Puppet::Adapters.get.class.prepend(Adapter)
        Speed.install
        Puppet::Parser::Functions.singleton_class.prepend(Stubs::Functions)
        Puppet::Functions.singleton_class.prepend(Stubs::NewFunctions)
        Puppet::Type.singleton_class.prepend(Stubs::Types)
        ::RSpec.configuration.after(:suite) { Bunraku::RSpec.finish }
      end

      def finish
        summary.lines.each { |line| warn line }
        @engine.close
      end

      private

      def compiled(request, node)
        Garbage.check
        answer, text = answer_to(request)
        write_log(answer)
        raise failure(answer['error']) unless answer['catalog']

        reader = CatalogReader.new(node.environment)
        catalog = reader.read(answer['catalog'])
        resolve(node, catalog) if reader.unresolved
        Graphs.name(catalog, request.key, text)
        catalog
      end

      # Calls deferred functions, which are Ruby code.
      def resolve(node, catalog)
        FactsOfExamples.forget
        Puppet::Pops::Evaluator::DeferredResolver.resolve_and_replace(node.facts, catalog)
      end

      # Returns the answer that bunraku cached, or that of a compile.
      def answer_to(request)
        question = request.question
        answer, text = @engine.ask(question) if question
        return [answer, text].tap { summary.cached } if answer && answer['status'] != 'absent'

        @engine.ask(request.to_h.merge('test' => place)).tap { summary.compiled }
      end

      def fall_back(reason)
        FactsOfExamples.forget
        Garbage.stop_waiting
        summary.fell_back(reason, place)
        nil
      end

      # Returns the argument that makes rspec run the current example alone.
      def place
        ::RSpec.current_example&.location_rerun_argument || 'outside of examples'
      end

      def write_log(answer)
        answer['notices'].each { |one| Puppet::Util::Log.create(level: :notice, message: one['message'], source: one['scope']) }
        answer['logs'].each do |one|
          Puppet::Util::Log.create(level: one['level'].to_sym, message: one['message'], file: one['file'], line: one['line'])
        end
      end

      # Returns the error of the class that Puppet raises for a message.
      def failure(error)
        text = error['text']
        return Puppet::Error.new(text) unless text.start_with?('Evaluation Error', 'Could not parse')

        Puppet::PreformattedError.new(text, nil, nil, nil, nil, error['issue_code']&.to_sym)
      end
    end

    install unless ENV['BUNRAKU_RSPEC'] == 'off'
  end
end
