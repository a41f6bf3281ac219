// The named characters of HTML that programs write in place of characters with a meaning in HTML: signs of ASCII, and Latin-1.

/** Signs of ASCII by their names; some signs have several names. */
const SIGNS: Readonly<Record<string, string>> = {
  tab: '\t',
  newline: '\n',
  excl: '!',
  quot: '"',
  num: '#',
  dollar: '$',
  percnt: '%',
  amp: '&',
  apos: "'",
  lpar: '(',
  rpar: ')',
  ast: '*',
  midast: '*',
  plus: '+',
  comma: ',',
  period: '.',
  sol: '/',
  colon: ':',
  semi: ';',
  lt: '<',
  equals: '=',
  gt: '>',
  quest: '?',
  commat: '@',
  lsqb: '[',
  lbrack: '[',
  bsol: '\\',
  rsqb: ']',
  rbrack: ']',
  hat: '^',
  lowbar: '_',
  underbar: '_',
  grave: '`',
  lcub: '{',
  lbrace: '{',
  verbar: '|',
  vert: '|',
  verticalline: '|',
  rcub: '}',
  rbrace: '}',
};

/** The names of HTML 4 for Latin-1, in the order of their characters. */
const LATIN =
  `nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1
  ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc
  Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml
  aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave
  uacute ucirc uuml yacute thorn yuml`.split(/\s+/);

/** The first character of `LATIN`: the no-break space. */
const FIRST = 0xa0;

const NAMED: ReadonlyMap<string, string> = new Map([
  ...LATIN.map((name, i): [string, string] => [name.toLowerCase(), String.fromCharCode(FIRST + i)]),
  ...Object.entries(SIGNS),
]);

/** The character with a name, in either case of the name; for a letter, the small letter. */
export const namedCharacter = (name: string): string | undefined => NAMED.get(name.toLowerCase());
