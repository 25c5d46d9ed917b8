function mymod::how() { 'hello' }
