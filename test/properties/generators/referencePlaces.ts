// Where a reference to a secret may be in the address of a webhook, as `*`, and where not.

/** Addresses with a reference at `*` where a part of it would be shown. */
export const MISPLACED: readonly string[] = [
  'https://*.example.com/',
  'https://x*.example.com/',
  'https://hooks.*.example.com/path?query',
  'https://hooks.example.com*/',
  'https://hooks.example.com*',
  'HTTPS://*.EXAMPLE.COM',
  'https://*:443/',
  'https://hooks.example.com:*/',
  'https://*@hooks.example.com/',
  'https://user:*@hooks.example.com/',
  'https:*',
  'https:/*.example.com/',
  'https:\\\\*.example.com/',
  'https://\\*.example.com/',
  'https:///*.example.com/',
  'https://\t/*.example.com/',
  'http*://hooks.example.com/',
  '*://hooks.example.com/',
  '*.example.com/',
  ' *',
  '* ',
  '**',
  'https://*.xn--bcher-kva.example/',
];

/** Addresses with a reference at `*` where it is allowed. */
export const ALLOWED_PLACES: readonly string[] = [
  '*',
  'https://hooks.example.com/services/*',
  'https://hooks.example.com/?key=*',
  'https://hooks.example.com/#*',
  'https://hooks.example.com/a*b*c',
  'HTTPS://Hooks.Example.com/%2f*%2f',
  'https://xn--bcher-kva.example/*',
];
