# Hashes could be changed
# rules: element-assignment at 4, element-assignment at 5
$limits = { 'soft' => '10' }
$limits['hard'] = '20'
$limits['max'] = '30'
notify { "${limits['soft']} ${limits['hard']} ${limits['max']}": }
