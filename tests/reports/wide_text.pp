notify { 'Grüße aus 日本: ' : message => "合計 ${1 / 0} 円" }
