# frozen_string_literal: true

module Puppet
  module Util
    # Modes of files as numbers and as symbols (``u=rw,go=r``).
    module SymbolicFileMode
      CLAUSE = /\A([ugoa]*)((?:[-+=][rwxXstugo]*)+)\z/.freeze
      BITS = { 'r' => 0o444, 'w' => 0o222, 'x' => 0o111, 's' => 0o6000, 't' => 0o1000 }.freeze
      CLASSES = { 'u' => 0o4700, 'g' => 0o2070, 'o' => 0o1007 }.freeze
      SHIFTS = { 'u' => 6, 'g' => 3, 'o' => 0 }.freeze

      def valid_symbolic_mode?(value)
        text = normalize_symbolic_mode(value)
        return true if text.match?(/\A0?[0-7]{1,4}\z/)

        !text.empty? && text.split(',').all?(CLAUSE)
      end

      def display_mode(value)
        value.to_s.match?(/\A0?[0-7]{1,4}\z/) ? value.to_s.rjust(4, '0') : value.to_s
      end

      def normalize_symbolic_mode(value)
        return nil if value.nil?

        text = value.to_s
        text.match?(/\A0?[0-7]{1,4}\z/) ? text.to_i(8).to_s(8) : text
      end

      def symbolic_mode_to_int(modification, to_mode = 0, is_a_directory = false)
        return modification.to_i(8) if modification.match?(/\A[0-7]+\z/)

        modification.split(',').inject(to_mode) do |mode, clause|
          found = CLAUSE.match(clause) or raise Puppet::Error, "unable to parse '#{clause}' as a symbolic mode"
          apply_clause(mode, found[1], found[2].scan(/([-+=])([rwxXstugo]*)/), is_a_directory)
        end
      end

      private

      def apply_clause(mode, who, actions, directory)
        who = 'ugo' if who.empty? || who.include?('a')
        mask = who.each_char.inject(0) { |all, one| all | CLASSES[one] }
        actions.inject(mode) do |now, (operator, letters)|
          bits = letters.each_char.inject(0) { |all, letter| all | letter_bits(letter, now, directory) } & mask
          case operator
          when '+' then now | bits
          when '-' then now & ~bits
          else (now & ~mask) | bits
          end
        end
      end

      def letter_bits(letter, mode, directory)
        return directory || (mode & 0o111).positive? ? 0o111 : 0 if letter == 'X'
        return BITS[letter] unless SHIFTS.key?(letter)

        ((mode >> SHIFTS[letter]) & 7) * 0o111
      end
    end
  end
end
