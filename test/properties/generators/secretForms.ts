// Generated secrets: of every kind of character, and as a part of a host.
import { fc } from '../../support/seeded.ts';

/** Characters that are written differently in JSON, in addresses, in YAML and in base64. */
const ALPHABETS = ['abcdefXYZ0123456789', 'abXY09+/=_-.~', 'aZ9 "\\\'ü€%41&?#{}$'];

/** A secret that is in nothing else. `isPath` says that it may stand in the path of an address. */
export const secrets = (isPath: boolean): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom(...(isPath ? [ALPHABETS[0]] : ALPHABETS)),
      fc.array(fc.nat(1_000), { minLength: 14, maxLength: 40 }),
      fc.nat(2 ** 31),
    )
    .map(([alphabet = '', picks, number]) => {
      const letters = [...alphabet];
      const text = picks.map(pick => letters[pick % letters.length]).join('');
      return `${number.toString(36)}q${text}q${number.toString(36)}`;
    });

/** The first label of a host that is in nothing else, as a secret may write it and as programs read it. */
export interface SecretLabel {
  readonly written: string;
  readonly read: string;
}

/** How one label can be written: in either case, with percent-encoded letters, and in letters that become punycode. */
const DISGUISES: Readonly<Record<string, (label: string) => string>> = {
  'as it is': label => label,
  'in capitals': label => label.toUpperCase(),
  'percent-encoded': label => label.replaceAll(/[aqx]/g, letter => `%${hexOf(letter)}`),
  'in punycode': label => label.replaceAll('a', 'ä').replaceAll('x', 'ß'),
};

const hexOf = (letter: string): string => letter.charCodeAt(0).toString(16).toUpperCase();

/** Labels of hosts in every disguise. */
export const secretLabels: fc.Arbitrary<SecretLabel> = fc
  .tuple(
    fc.constantFrom(...Object.values(DISGUISES)),
    fc.array(fc.constantFrom(...'aqx019'), { minLength: 10, maxLength: 18 }),
    fc.nat(2 ** 31),
  )
  .map(([disguised, letters, number]) => {
    const written = disguised(`q${number.toString(36)}ax${letters.join('')}q`);
    const { hostname } = new URL(`https://${written}.example.net`);
    return { written, read: hostname.replace('.example.net', '') };
  });
