// The search for secrets finds a secret in each of its forms.
import { expect, test } from 'vitest';
import { fc } from '../support/seeded.ts';
import { reported, secrets } from './generators/secretForms.ts';

test('the search finds a secret in each of its forms', () => {
  fc.assert(
    fc.property(secrets(false), fc.string(), fc.string(), (secret, head, tail) => {
      const names = new Map([['it', secret]]);
      const around = `${head}${secret}${tail}`;
      for (const text of [
        around,
        JSON.stringify(around),
        encodeURIComponent(around.toWellFormed()),
        around.toUpperCase(),
        Buffer.from(around).toString('base64'),
        Buffer.from(around).toString('base64url'),
      ])
        expect(reported(new Map([['here', text]]), names)).toEqual(['here: it']);
    }),
    { numRuns: 50 },
  );
});
