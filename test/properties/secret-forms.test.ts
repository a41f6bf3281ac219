// The search for secrets finds a secret in each encoding, broken over lines, and by a part of it.
import { expect, test } from 'vitest';
import { ENCODINGS, reported } from '../support/secretSearch.ts';
import { fc } from '../support/seeded.ts';
import { secrets } from './generators/secretForms.ts';

test('the search finds a secret in each encoding', () => {
  fc.assert(
    fc.property(secrets(false), fc.string(), fc.string(), (secret, head, tail) => {
      const names = new Map([['it', secret]]);
      // Punycode encodes a whole host label, so it is tested without text around it.
      for (const [encoding, encode] of Object.entries(ENCODINGS)) {
        const text = encoding === 'in punycode' ? secret : `${head}${secret}${tail}`;
        const found = reported(new Map([['here', encode(text)]]), names);
        expect(found, `${encoding}: ${encode(text)}`).toEqual(['here: it']);
      }
    }),
    { numRuns: 50 },
  );
});

test('the search finds a secret in wrapped lines, and a half of it', () => {
  fc.assert(
    fc.property(secrets(true), secrets(true), fc.nat(20), (one, other, width) => {
      const secret = `${one}${other}`;
      const names = new Map([['it', secret]]);
      const wrapped = `${secret.slice(0, width)}\n    ${secret.slice(width)}`;
      const half = secret.slice(0, Math.ceil(secret.length / 2));
      for (const text of [wrapped, `${half}…`])
        expect(reported(new Map([['here', text]]), names)).toEqual(['here: it']);
    }),
    { numRuns: 50 },
  );
});
