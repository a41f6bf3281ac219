// Files under `grants/` are self-contained: their reviewer approves objects that expire, and nothing that other files declare.
import { type Diagnostic, type Span, spanText } from '../../model/diagnostic.ts';
import { quotedBriefly } from '../sentenceWords.ts';
import type { SourceNode } from '../yaml/node.ts';

/** Whether a value is written in a file of grants. */
export const isOfGrant = (node: SourceNode): boolean => node.written([]).origin.isGrant === true;

/** The error for a file of grants that changes an object of another file. `what`: the object in the sentence. */
export const changesOther = (
  what: string,
  { under, over }: { readonly under: SourceNode; readonly over: SourceNode },
): Diagnostic =>
  refused(
    `the ${what} is declared elsewhere, and a file under \`grants/\` cannot change it, add to it, or remove it`,
    over.at([]),
    `it is at ${spanText(under.at([]))}; give access with a separate policy that has \`lifecycle: { until: … }\`, or move this to another folder`,
  );

/**
 * The error for a file outside `grants/` that changes an object or a set of a grant. `what`: the object or set in the sentence.
 */
export const changesGrant = (
  what: string,
  { under, over }: { readonly under: SourceNode; readonly over: SourceNode },
): Diagnostic =>
  refused(
    `the ${what} is declared under \`grants/\`, and no other file can change it`,
    over.at([]),
    `it is at ${spanText(under.at([]))}; write all of it there, or move it to another folder`,
  );

/** The error for a template of a grant that another file extends. */
export const extendsGrant = (name: string, template: SourceNode, at: Span): Diagnostic =>
  refused(
    `the template ${quotedBriefly(name)} is declared under \`grants/\`, but another file extends it`,
    at,
    `it is at ${spanText(template.at([]))}; move the template to another folder`,
  );

/** The error for an object of another file that is repeated for an entry of a grant. */
export const repeatsForGrant = (key: string, entry: Span, at: Span): Diagnostic =>
  refused(
    `this would be repeated for ${quotedBriefly(key)}, which is written under \`grants/\``,
    at,
    `the entry is at ${spanText(entry)}; move it to another folder`,
  );

/** The error for a section of a file of grants whose entries cannot expire. */
export const lastingSection = (name: string, section: SourceNode): Diagnostic =>
  refused(
    `${quotedBriefly(name)} is under \`grants/\`, but cannot expire`,
    section.at([]),
    'move it to another folder, where it is reviewed like everything else',
  );

const refused = (message: string, at: Span, hint: string): Diagnostic => ({
  code: 'GRANT_REFUSED',
  severity: 'error',
  message,
  at,
  hint,
});
