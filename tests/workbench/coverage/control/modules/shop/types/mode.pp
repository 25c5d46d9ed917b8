type Shop::Mode = Enum['plain', 'other']
