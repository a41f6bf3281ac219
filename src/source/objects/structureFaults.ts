// Faults in the structure of files: unknown keys, and values that are not objects.
import type { Section, Sections } from '../../kinds/identity/sections.ts';
import type { Kind, KindTable } from '../../kinds/kind.ts';
import { kindsOfVendor } from '../../kinds/lookup.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { didYouMean } from '../../model/text/nearest.ts';
import { quoted } from '../../model/text/visible.ts';
import { isObject } from '../../model/value.ts';
import { kindOf, quotedBriefly } from '../sentenceWords.ts';
import type { SourceNode } from '../yaml/node.ts';

/** The error for a value under `key` that is not a list of objects. */
export function notAList(key: string, section: Section, node: SourceNode): Diagnostic {
  const isNothing = node.value === null;
  const mappingHint = `begin each object with a dash: \`- ${example(section.kind)}\``;
  return {
    code: 'SCHEMA_TYPE',
    severity: 'error',
    message: isNothing
      ? `${quotedBriefly(key)} has no value`
      : `${quotedBriefly(key)} must be a list, not ${kindOf(node.value)}`,
    at: node.at([]),
    hint: isNothing
      ? `write ${quotedBriefly(`${key}: []`)} if there are none, or remove the key`
      : mappingHint,
  };
}

/** The error for a value that is not a mapping. `name`: what the sentence calls the value. */
export function notAMapping(name: string, section: Section, node: SourceNode): Diagnostic {
  const { value } = node;
  const keys = [...section.inside.keys()].join(', ');
  return {
    code: 'SCHEMA_TYPE',
    severity: 'error',
    message:
      value === null ? `${name} has no value` : `${name} must be a mapping, not ${kindOf(value)}`,
    at: node.at([]),
    hint: section.kind
      ? `write ${quoted(`${section.list ? '- ' : ''}${example(section.kind)}`)}`
      : `its keys are: ${keys}`,
  };
}

function example(kind: Kind | undefined): string {
  const [field = 'name'] = kind?.identity[0] ?? [];
  return `${field.split('.')[0]}: …`;
}

/** The errors for keys of a mapping that are not sections of kinds. */
export function unknownKeys(sections: Sections, holder: SourceNode): Diagnostic[] {
  const known = [...sections.keys()];
  return keysBeside(sections, holder).map(key => {
    const hint =
      productAmong(key, sections) ?? didYouMean(key, known) ?? `allowed here: ${known.join(', ')}`;
    const message = `unknown key ${quotedBriefly(key)}`;
    return {
      code: 'SCHEMA_UNKNOWN_FIELD',
      severity: 'error',
      message,
      at: holder.keyAt([key]),
      hint,
    };
  });
}

// The hint if `word` is the name of a product: the section of the kind whose vendor-neutral name covers this product.
function productAmong(word: string, sections: Sections): string | undefined {
  const own = [...sections].flatMap(([key, { kind }]) => (kind ? [{ key, kind }] : []));
  const [kind] = kindsOfVendor(
    own.map(one => one.kind),
    word,
  );
  const found = own.find(one => one.kind === kind);
  return found && `write ${quoted(found.key)}: ${found.kind.description}`;
}

/**
 * Faults at the top level of a file. A file without any known key is a separate fault: it may not be meant for meshform, or its
 * only key may be misspelt.
 */
export function topLevelFindings(
  documents: readonly SourceNode[],
  sections: Sections,
  kinds: KindTable,
): Diagnostic[] {
  const [first] = documents;
  const said = documents.filter(document => document.value !== null && !holdsAnchors(document));
  if (first && said.length === 0) return first.isBroken([]) ? [] : [saysNothing(first)];
  const isOurs = said.some(document => keysIn(document).some(key => sections.has(key)));
  return said.flatMap(document => {
    if (!isObject(document.value)) return [notTopLevel(document, sections)];
    const code = isOurs ? 'SCHEMA_UNKNOWN_FIELD' : 'SOURCE_NO_KIND';
    const unknown = keysBeside(sections, document)
      .filter(key => !isExtension(key))
      .map(key => ({ key, hint: guess(key, sections, kinds) }));
    const guessed = unknown.filter(({ hint }) => hint !== undefined);
    // If the file is not meant for meshform at all, reporting one key is enough.
    const reported = isOurs ? unknown : guessed.length > 0 ? guessed : unknown.slice(0, 1);
    return reported.map(
      ({ key, hint }): Diagnostic => ({
        code,
        severity: 'error',
        message: `unknown top-level key ${quotedBriefly(key)}`,
        at: document.keyAt([key]),
        hint: hint ?? otherwise(sections),
      }),
    );
  });
}

/** Errors for encrypted documents that would declare objects: if they were silently ignored, their objects would look removed. */
export function encrypted(documents: readonly SourceNode[], sections: Sections): Diagnostic[] {
  return documents.flatMap(document =>
    keysIn(document)
      .filter(key => sections.has(key))
      .map(key => ({
        code: 'SOURCE_UNREADABLE',
        severity: 'error',
        message: `${quotedBriefly(key)} is in a file that is encrypted with SOPS; meshform reads only secrets from it`,
        at: document.keyAt([key]),
        hint: 'declare it in a file that is not encrypted, and use `${sops:path#part}` for the secrets',
      })),
  );
}

const keysIn = ({ value }: SourceNode): string[] => (isObject(value) ? Object.keys(value) : []);

const keysBeside = (sections: Sections, holder: SourceNode): string[] =>
  keysIn(holder).filter(key => !sections.has(key));

// A key that begins with `x-` contains values for anchors elsewhere in the document, and declares nothing itself.
const isExtension = (key: string): boolean => key.startsWith('x-');

const holdsAnchors = ({ value }: SourceNode): boolean =>
  isObject(value) && Object.keys(value).every(isExtension);

const otherwise = (sections: Sections): string =>
  `known: ${[...sections.keys()].join(', ')}; or \`exclude\` the file in meshform.yaml`;

// The known key that the author of `key` at the top of a file may have meant.
function guess(key: string, sections: Sections, kinds: KindTable): string | undefined {
  const kind = [...kinds.values()].find(
    ({ at }) => at.split('.').at(-1)?.replace('[]', '') === key,
  );
  const holder = kind?.at.split('.').slice(0, -1).join('.') ?? '';
  const outer = quotedBriefly(holder.replaceAll('[]', ''));
  if (holder.endsWith('[]')) return `write it inside a member of ${outer}`;
  if (holder !== '') return `write it inside ${outer}`;
  return kind?.description ?? didYouMean(key, sections.keys());
}

function saysNothing(document: SourceNode): Diagnostic {
  const message = 'this file declares nothing';
  const hint = 'remove it, or `exclude` it in meshform.yaml';
  return { code: 'SOURCE_NO_KIND', severity: 'error', message, at: document.at([]), hint };
}

function notTopLevel(document: SourceNode, sections: Sections): Diagnostic {
  const message = `a file of desired state must be a mapping, not ${kindOf(document.value)}`;
  const hint = otherwise(sections);
  return { code: 'SOURCE_NO_KIND', severity: 'error', message, at: document.at([]), hint };
}
