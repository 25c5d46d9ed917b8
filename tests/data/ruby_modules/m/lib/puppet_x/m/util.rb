module PuppetX; module M; module Util
  def self.twice(a) a + a end
end; end; end
