// The recorded lines that the emulator answers otherwise, and why each stays so.
import type { Recording } from './line.ts';

const OUTSIDE = 'the path is outside the contract: a stub can answer it';

export const KNOWN: Readonly<Record<Recording, Readonly<Record<string, string>>>> = {
  sequence: {
    'fresh instance (GET /api/instance)': OUTSIDE,
    'fresh locations/countries (GET /api/locations/countries)': OUTSIDE,
    'GET /api/locations/countries/DE/cities (GET /api/locations/countries/DE/cities)': OUTSIDE,
    'idp google with issuer (POST /api/identity-providers)':
      'the recorded server had no way to the internet; the emulator asks no issuer',
    'audit (GET /api/events/audit)':
      'the recorded server had not stored the last events yet, so its list begins with another event',
  },
  mutations: {},
  'beyond-sequence': {},
  'beyond-mutations': {},
  'beyond-cluster': {},
};
