// The recorded lines that the emulator answers otherwise, and why each stays so.

const OUTSIDE = 'the path is outside the contract: a stub can answer it';

export const KNOWN: Readonly<Record<'sequence' | 'mutations', Readonly<Record<string, string>>>> = {
  sequence: {
    'fresh accounts (GET /api/accounts)': OUTSIDE,
    'fresh dns/settings (GET /api/dns/settings)': OUTSIDE,
    'fresh dns/nameservers (GET /api/dns/nameservers)': OUTSIDE,
    'fresh dns/zones (GET /api/dns/zones)': OUTSIDE,
    'fresh instance (GET /api/instance)': OUTSIDE,
    'fresh locations/countries (GET /api/locations/countries)': OUTSIDE,
    'GET /api/locations/countries/DE/cities (GET /api/locations/countries/DE/cities)': OUTSIDE,
    'idp google with issuer (POST /api/identity-providers)':
      'the recorded server had no way to the internet; the emulator asks no issuer',
    'audit (GET /api/events/audit)':
      'the recorded server had not stored the last events yet, so its list begins with another event',
  },
  mutations: {},
};
