// Names as somebody hostile would choose them, and what no output may hold because of them.
import { anyText, fc } from './seeded.ts';

/**
 * What must not be printed as it is, but for the line feed: C0, DEL and C1, bidirectional controls, everything without a
 * width or a look of its own, separators of lines, halves of characters. Written from lists of Unicode and not with the
 * properties that the code uses.
 */
export const FORBIDDEN = new RegExp(
  `[${[
    '\\u0000-\\u0009\\u000b-\\u001f\\u007f-\\u009f',
    '\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f',
    '\\u00a0\\u1680\\u2000-\\u200f\\u2028-\\u202f\\u205f-\\u206f\\u2800\\u3000\\u302e\\u302f',
    '\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufffc',
    '\\u0488\\u0489\\u1abe\\u20d0-\\u20f0\\ufe20-\\ufe2d\\u{16fe4}\\u{1d159}\\u{1d165}-\\u{1d169}\\u{1d16d}-\\u{1d172}\\u{1d17b}-\\u{1d182}',
    '\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}',
    '\\ud800-\\udfff\\ue000-\\uf8ff\\ufffe\\uffff\\u{f0000}-\\u{10ffff}',
  ].join('')}]`,
  'u',
);

const INVISIBLE = [
  '\u0000',
  '\u0007',
  '\b',
  '\t',
  '\u000b',
  '\f',
  '\r',
  '\u001b',
  '\u007f',
  '\u0085',
  '\u009b',
  '\u00a0',
  '\u00ad',
  '\u034f',
  '\u061c',
  '\u115f',
  '\u17b4',
  '\u180b',
  '\u180e',
  '\u2003',
  '\u200b',
  '\u200c',
  '\u200d',
  '\u200e',
  '\u200f',
  '\u2028',
  '\u2029',
  '\u202a',
  '\u202e',
  '\u2060',
  '\u2063',
  '\u2066',
  '\u2069',
  '\u2800',
  '\u3000',
  '\u302e',
  '\u0301',
  '\u20dd',
  '\u3164',
  '\ufe0f',
  '\ufeff',
  '\uffa0',
  '\ufff9',
  '\u{16fe4}',
  '\u{1d159}',
  '\u{1d165}',
  '\u{1d167}',
  '\u{e0001}',
  '\u{e0041}',
  '\u{e007f}',
  '\u{e01ef}',
  '\ue000',
  '\uffff',
  '\u{10ffff}',
];

const COMMANDS = [
  '::error file=a,line=1::forged',
  '::add-mask::a',
  '::stop-commands::x',
  ':: x',
  '##vso[task.setvariable variable=a]b',
  '##[section]forged',
  "##teamcity[testFailed name='a']",
];

const LAYOUT = [
  '\n',
  '\r\n',
  '\n::error::forged',
  '\n##[error]forged',
  '\n\nPlan: 0 to add, 0 to change.',
  '\n  # group.forged will be created',
  '\nNo changes.\n',
  '\u001b[2K\r',
  '\u001b[31m',
  '\u001b]0;title\u0007',
  '\u001b]8;;https://example.com\u001b\\',
  '  ',
  ' ',
  "'",
  '"',
  '\\',
  '`',
  '```',
  '~~~~',
  '\n```\n',
  '|',
  '\\|',
  '</details>',
  '<!--',
  '-->',
  '<b>',
  '<script>',
  '&amp;',
  ']]>',
  '[a](javascript:b)',
  '![a](b)',
  '@everyone',
  '#123',
  '\n# heading',
  '\n---',
  '${env:HOME}',
  '{{',
  ': ',
  ' #',
  '*',
  '&a',
  '!!str',
  '%',
  '$(id)',
  '--yes',
  'true',
  '~',
];

/** Any text of which pieces are hostile. */
export const hostileText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.constantFrom('a', 'b c', 'name', 'ż', '日本', '🦊', '0', '-', ', ', ')', '('),
      fc.constantFrom(...INVISIBLE),
      fc.constantFrom(...COMMANDS),
      fc.constantFrom(...LAYOUT),
      anyText({ maxLength: 3 }),
      fc.constantFrom('\ud83d', '\udc00'),
    ),
    { maxLength: 8 },
  )
  .map(parts => parts.join(''));

/** What no line may begin with, after blanks; what follows `##` some read in the middle of a line too. */
export const WORKFLOW_COMMAND = /^\s*::|##(?:vso|teamcity)?\[/im;

const PARTS_OF_REFERENCES = [
  '$',
  '$$',
  '${',
  '${each',
  '${var:',
  '}',
  '{',
  'var:',
  'env:',
  'sops:',
  'each',
  '.key',
  '.value.a',
  'office',
  'A',
  ':-',
  ' ',
];

/** Texts that look like references of files, or like the beginning of one. */
export const referenceLike = fc
  .array(fc.constantFrom(...PARTS_OF_REFERENCES), { maxLength: 12 })
  .map(drawn => `x${drawn.join('')}y`);
