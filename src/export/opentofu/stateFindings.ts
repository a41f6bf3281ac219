// Sentences about the blocks of a state: what stays in the state, and what only the state knows.
import type { DiagnosticCode } from '../../model/codes.ts';
import type { Severity } from '../../model/diagnostic.ts';
import { quoted } from '../../model/text/visible.ts';
import type { Block } from './block.ts';
import { isOfProvider } from './match.ts';
import type { SecretAttribute } from './secretAttributes.ts';

/** A finding about a block, before it has a place. */
export interface Said {
  readonly block: Block;
  readonly code: DiagnosticCode;
  readonly severity: Severity;
  readonly message: string;
  readonly hint?: string;
}

/** The finding about a data source. */
export const dataFinding = (block: Block): Said[] =>
  isOfProvider(block)
    ? [
        {
          block,
          code: 'STATE_WITHOUT_COUNTERPART',
          severity: 'note',
          message: `${quoted(block.address)} has no counterpart, and needs none: files refer to objects by name`,
        },
      ]
    : [];

/** The finding about a block of another provider. */
export const ofOther = (block: Block): Said => ({
  block,
  code: 'STATE_WITHOUT_COUNTERPART',
  severity: 'note',
  message: `${quoted(block.address)} stays in the state: it belongs to another provider`,
});

/** The finding about a block whose objects no file can declare. */
export const noKind = (block: Block): Said => ({
  block,
  code: 'STATE_WITHOUT_COUNTERPART',
  severity: 'warning',
  message: `${quoted(block.address)} stays in the state: no file can declare objects of type ${quoted(block.type)}`,
  hint: 'keep it in the configuration: meshform leaves alone what its files do not declare',
});

/** The finding about a block of objects that could not be read. */
export const unread = (block: Block): Said => ({
  block,
  code: 'STATE_WITHOUT_COUNTERPART',
  severity: 'warning',
  message: `${quoted(block.address)} stays in the state: the server does not return objects of type ${quoted(block.type)}`,
  hint: 'use the token of an admin, and check --dialect',
});

/** The finding about objects of a block that the account does not have. `absent`: their number. */
export const notThere = (block: Block, absent: number): Said => ({
  block,
  code: 'OBJECT_NOT_THERE',
  severity: 'warning',
  message:
    block.instances.length === 1
      ? `the account has no object with the id that the state has for ${quoted(block.address)}; the files get no declaration for it, and the block stays in the state`
      : `the account has no object with the ids of ${absent} of ${block.instances.length} instances of ${quoted(block.address)}; the files get no declarations for them, and the block stays in the state`,
  hint: 'if it belongs to another account, export the state with the token of that account too; if somebody deleted it, run `tofu apply -refresh-only`, and export again',
});

/** The finding about objects of a block that the account has and the files do not declare. `missing`: their number. */
export const leftOut = (block: Block, missing: number): Said => ({
  block,
  code: 'STATE_WITHOUT_COUNTERPART',
  severity: 'warning',
  message: `${quoted(block.address)} stays in the state: the files do not declare ${
    block.instances.length === 1
      ? 'its object'
      : `${missing} of its ${block.instances.length} objects`
  }`,
  hint: 'a note says why an object is left out, if --only and --except do not; to let the state forget single objects, use `tofu state rm`',
});

/** The finding about a deposed object that is still in the account. `object`: the object in words. */
export const stillDeposed = (block: Block, object: string): Said => ({
  block,
  code: 'STATE_WITHOUT_COUNTERPART',
  severity: 'warning',
  message: `${quoted(block.address)} stays in the state: a failed apply replaced its former object and did not delete it, ${object}`,
  hint: 'run `tofu apply`, which deletes it, and export again',
});

/** The finding about a block with `for_each` or `count`. */
export const several = (block: Block): Said => ({
  block,
  code: 'STATE_WITHOUT_COUNTERPART',
  severity: 'note',
  message: `\`for_each\` or \`count\` of ${quoted(block.address)} has no counterpart: each of its ${block.instances.length} objects is a declaration`,
});

/** The findings about secrets that are lost with the state, one for each name. */
export function secretFindings(block: Block, secrets: readonly SecretAttribute[]): Said[] {
  const byName = new Map(secrets.map(secret => [secret.name, secret]));
  return [...byName.values()].map(({ name, isOneTime }) => ({
    block,
    code: 'STATE_SECRET',
    severity: 'warning',
    message: `only the state knows ${quoted(name)} of ${quoted(block.address)}: the account does not return it`,
    hint: isOneTime ? HINT_ONE_TIME : HINT_GIVEN,
  }));
}

const HINT_ONE_TIME =
  'store it elsewhere before you delete the state, or let `meshform apply --rotate` create a new one';

const HINT_GIVEN =
  'store it where the files take it from, such as in a variable, before you delete the state';

const HINT_POINTING =
  'replace the references in its block with ids or data sources before you apply the removed blocks';

/** The finding about a block that stays in the configuration and refers to blocks that do not. */
export function stillPointing(block: Block, removed: ReadonlySet<string>): Said[] {
  const all = block.instances.flatMap(({ dependencies }) => dependencies);
  const names = [...new Set(all.filter(address => removed.has(address)))].sort();
  if (names.length === 0) return [];
  return [
    {
      block,
      code: 'STATE_WITHOUT_COUNTERPART',
      severity: 'warning',
      message: `${quoted(block.address)} stays in the configuration and refers to ${names.map(name => quoted(name)).join(', ')}`,
      hint: HINT_POINTING,
    },
  ];
}
