// The words, signs and colours for the changes of a plan. The list of changes, the map, the matrix and their legends all use
// them.

interface ChangeWords {
  readonly sign: string;
  /** The word for a change of access, which is also its CSS class. */
  readonly name: 'gained' | 'lost' | 'changed';
  /** The word for a change of an object. */
  readonly object: 'added' | 'removed' | 'changed';
  readonly meaning: string;
  /** The colour in each theme. It must be readable on the background of a page, and on a light tint of itself. */
  readonly colour: { readonly light: string; readonly dark: string };
}

/** The ways in which access and objects change. */
export const CHANGE_WORDS = [
  {
    sign: '+',
    name: 'gained',
    object: 'added',
    meaning: 'access gained, object added',
    colour: { light: '#0b6638', dark: '#69dba0' },
  },
  {
    sign: '−',
    name: 'lost',
    object: 'removed',
    meaning: 'access lost, object removed',
    colour: { light: '#a81d16', dark: '#ff9d93' },
  },
  {
    sign: '~',
    name: 'changed',
    object: 'changed',
    meaning: 'changed: ports gained and lost, other posture checks, other fields of an object',
    colour: { light: '#7a4d00', dark: '#efc063' },
  },
] as const satisfies readonly ChangeWords[];

type ChangeName = (typeof CHANGE_WORDS)[number]['name'];

const labels = CHANGE_WORDS.map(({ name, sign }) => [name, `${sign} ${name}`] as const);

/** `+ gained`. */
export const CHANGE_LABELS = Object.fromEntries(labels) as Readonly<Record<ChangeName, string>>;

const variables = (theme: 'light' | 'dark'): string =>
  CHANGE_WORDS.map(({ name, colour }) => `--${name}: ${colour[theme]};`).join(' ');

/** The colours as variables of a page: `--gained`. */
export const CHANGE_STYLE = `
:root { ${variables('light')} }
@media screen and (prefers-color-scheme: dark) { :root { ${variables('dark')} } }
`;
