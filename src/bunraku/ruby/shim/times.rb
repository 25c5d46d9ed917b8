# frozen_string_literal: true

module Bunraku
  # Sums and differences of points in time and lengths of time.
  module TimeArithmetic
    def +(other)
      Bunraku.ask('time', Puppet::Pops::Time::Timestamp === other ? 'Timestamp' : self.class.name[/\w+\z/], nsecs + Puppet::Pops::Time.bunraku_nsecs_of(other))
    end

    def -(other)
      Bunraku.ask('time', Puppet::Pops::Time::Timestamp === other ? 'Timespan' : self.class.name[/\w+\z/], nsecs - Puppet::Pops::Time.bunraku_nsecs_of(other))
    end
  end
end

module Puppet
  module Pops
    module Time
      # What points in time and lengths of time have in common.
      class TimeData
        include Comparable
        include Bunraku::Held

        attr_reader :nsecs

        def bunraku_with(nsecs)
          @nsecs = nsecs
          self
        end

        def <=>(other)
          other.class == self.class ? nsecs <=> other.nsecs : nil
        end

        def ==(other)
          other.class == self.class && nsecs == other.nsecs
        end

        def to_f
          nsecs / 1_000_000_000.0
        end

        def to_i
          nsecs / 1_000_000_000
        end

        def format(pattern)
          Bunraku.ask('function', nil, 'strftime', [Bunraku.encode(self), Bunraku.encode(pattern)], nil)
        end
      end

      # A point in time.
      class Timestamp < TimeData
        include Bunraku::TimeArithmetic

        class << self
          def now
            from_time(::Time.now)
          end

          def from_time(time)
            Bunraku.ask('time', 'Timestamp', (time.to_r * NSECS_PER_SEC).to_i)
          end

          def parse(text, format = nil, zone = nil)
            Bunraku.call_function(nil, 'new', [Types.bunraku_named('Timestamp'), text, *format, *zone], nil)
          end
        end

        def to_time
          ::Time.at(0, nsecs, :nanosecond).utc
        end
      end

      # A length of time.
      class Timespan < TimeData
        include Bunraku::TimeArithmetic

        class << self
          def parse(text, format = nil)
            Bunraku.call_function(nil, 'new', [Types.bunraku_named('Timespan'), text, *format], nil)
          end

          def from_fields(negative, days, hours, minutes, seconds, milliseconds = 0, microseconds = 0, nanoseconds = 0)
            total = (((((days * 24) + hours) * 60) + minutes) * 60) + seconds
            total = (((total * 1000) + milliseconds) * 1_000_000) + (microseconds * 1000) + nanoseconds
            Bunraku.ask('time', 'Timespan', negative ? -total : total)
          end

          def from_hash(fields)
            Bunraku.call_function(nil, 'new', [Types.bunraku_named('Timespan'), fields.transform_keys(&:to_s)], nil)
          end
        end
      end

      NSECS_PER_SEC = 1_000_000_000

      # A length of time is a number of seconds, too.
      def self.bunraku_nsecs_of(value)
        value.respond_to?(:nsecs) ? value.nsecs : (value * NSECS_PER_SEC).to_i
      end
    end
  end
end
