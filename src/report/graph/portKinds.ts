// The purposes of ports, as far as port numbers show a purpose. Maps, matrices and their legends all use these names and colours.
// Each colour has a letter with the same meaning.

interface KindOfPorts {
  readonly name: string;
  /** A unique letter, so that nobody has to distinguish colours. */
  readonly letter: string;
  readonly meaning: string;
  /** An example for a legend. */
  readonly example: string;
  /** The ports of this kind, both for TCP and for UDP. */
  readonly ports: readonly number[];
  /** The colour in each theme. It must be readable on the background of a page, and on a light tint of itself. */
  readonly colour: { readonly light: string; readonly dark: string };
}

/** The kinds of ports, the most dangerous first. All other ports are `other`. */
export const PORT_KINDS = [
  {
    name: 'all',
    letter: 'A',
    meaning: 'every port',
    example: 'all',
    ports: [],
    colour: { light: '#9b0f4f', dark: '#ff9cc4' },
  },
  {
    name: 'shell',
    letter: 'S',
    meaning: 'remote shell or desktop',
    example: '22',
    ports: [22, 23, 3389, 5900, 5901, 5985, 5986],
    colour: { light: '#984106', dark: '#ffb27a' },
  },
  {
    name: 'data',
    letter: 'D',
    meaning: 'database or files',
    example: '5432',
    ports: [
      21, 111, 139, 445, 873, 1433, 1521, 2049, 3306, 5432, 5984, 6379, 9042, 9200, 11211, 27017,
    ],
    colour: { light: '#00665a', dark: '#62d8c6' },
  },
  {
    name: 'web',
    letter: 'W',
    meaning: 'web',
    example: '443',
    ports: [80, 443, 8080, 8443],
    colour: { light: '#0b57b3', dark: '#8cc2ff' },
  },
  {
    name: 'other',
    letter: 'O',
    meaning: 'other ports',
    example: '7000-7100',
    ports: [],
    colour: { light: '#4a5665', dark: '#b8c3ce' },
  },
] as const satisfies readonly KindOfPorts[];

export type PortKind = (typeof PORT_KINDS)[number]['name'];

/** The kind for a line with ports of several kinds. */
const SEVERAL = {
  name: 'several',
  letter: 'M',
  meaning: 'mixed ports',
  colour: { light: '#17202b', dark: '#e8edf3' },
} as const;

export type LineKind = PortKind | (typeof SEVERAL)['name'];

const KIND_OF_PORT = new Map(
  PORT_KINDS.flatMap(({ name, ports }) => ports.map(port => [port as number, name] as const)),
);

/**
 * The kind of a port, written as in access: `tcp/22`, `udp/*`, `icmp`, `*`. A range has the first kind in `PORT_KINDS` that has a
 * port in the range.
 */
export function portKind(port: string): PortKind {
  const [protocol = '', numbers = ''] = port.split('/');
  if (port === '*' || numbers === '*') return 'all';
  if (protocol.endsWith('-ssh')) return 'shell';
  const [low = Number.NaN, high = low] = numbers.split('-').map(Number);
  if (low <= 1 && high >= 65_535) return 'all';
  const [known] = KIND_OF_PORT.keys()
    .filter(one => low <= one && one <= high)
    .map(one => KIND_OF_PORT.get(one));
  return known ?? 'other';
}

/** The kind of all ports of a rule. If they include every port, the kind is `all`. */
export function lineKind(ports: readonly string[]): LineKind {
  const kinds = ports.map(portKind);
  return kinds.includes('all') ? 'all' : commonKind(kinds);
}

/** The kind that all lines share; `several` if their kinds differ. */
export function commonKind(kinds: readonly LineKind[]): LineKind {
  const [one = 'other', ...others] = new Set(kinds);
  return others.length === 0 ? one : SEVERAL.name;
}

/** The kinds of lines, with their letters, meanings and colours. */
export const LINE_KINDS: readonly (Pick<KindOfPorts, 'letter' | 'meaning' | 'colour'> & {
  readonly name: LineKind;
})[] = [...PORT_KINDS, SEVERAL];

/** The letter of a kind of lines. */
export const letterOf = (kind: LineKind): string =>
  LINE_KINDS.find(({ name }) => name === kind)?.letter ?? '';

/** The colours of ports in a matrix, as a style. */
export const PORT_STYLE = `
${PORT_KINDS.map(({ name, colour }) => `.chip.${name} { --look: ${colour.light}; }`).join('\n')}
@media screen and (prefers-color-scheme: dark) {
${PORT_KINDS.map(({ name, colour }) => `  .chip.${name} { --look: ${colour.dark}; }`).join('\n')}
}
`;
