// Generated secrets, and a search for them in every form in which a text may hold them.
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

const base64s = (text: string): string[] =>
  [0, 1, 2].flatMap(before => {
    const padded = Buffer.concat([
      Buffer.alloc(before, 'x'),
      Buffer.from(text),
      Buffer.alloc(3, 'x'),
    ]);
    const whole = padded.toString('base64');
    const end = Math.floor(((before + Buffer.byteLength(text)) * 8) / 6);
    const core = whole.slice(Math.ceil((before * 8) / 6), end);
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')];
  });

const formsOf = (secret: string): string[] => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(secret),
  ...base64s(secret),
];

/** The places at which a secret can be read, in any of its forms and whatever case. */
export function reported(
  traces: ReadonlyMap<string, string>,
  names: ReadonlyMap<string, string>,
): string[] {
  return [...traces].flatMap(([trace, text]) => {
    const lower = text.toLowerCase();
    return [...names].flatMap(([name, secret]) =>
      formsOf(secret).some(form => lower.includes(form.toLowerCase())) ? [`${trace}: ${name}`] : [],
    );
  });
}
