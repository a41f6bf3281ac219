// Errors for changes that a layer must not make to the objects of other layers.
import type { Kind } from '../../kinds/kind.ts';
import { type Diagnostic, spanText } from '../../model/diagnostic.ts';
import type { Path } from '../../model/value.ts';
import { kindOf, quotedBriefly } from '../sentenceWords.ts';
import { OVERRIDE } from '../templates/readTemplates.ts';
import type { SourceNode } from '../yaml/node.ts';
import { guardsIn, isSet, OMIT, settingOf, settingPath } from './marks.ts';

/** The words for an object: `group "staff"`. */
export const called = (kind: Kind, name: string | null): string =>
  name === null || kind.cardinality !== 'collection'
    ? kind.noun
    : `${kind.noun} ${quotedBriefly(name)}`;

/** The error for an object that changes or omits an object that no earlier layer has. */
export function nothingThere(kind: Kind, name: string | null, node: SourceNode): Diagnostic {
  const mark = isSet(node.tree, OMIT) ? OMIT : OVERRIDE;
  return {
    code: 'OVERRIDE_NOTHING',
    severity: 'error',
    message: `no layer before this one declares the ${called(kind, name)}, so there is nothing to ${mark}`,
    at: node.at(settingPath(mark)),
    hint: `check its name and the layers of the run, or remove \`lifecycle.${mark}\``,
  };
}

/** The error for an item or a child that is marked with `omit` if no earlier layer has it. */
export function noItem(what: string, at: SourceNode, path: Path): Diagnostic {
  return {
    code: 'OVERRIDE_NOTHING',
    severity: 'error',
    message: `no layer before this one has ${what}, so there is nothing to omit`,
    at: at.at(path),
    hint: 'check its name, or remove it here',
  };
}

/** The errors for marks with a wrong value, and for an object with both marks. */
export function markFaults(node: SourceNode): Diagnostic[] {
  const values = [OVERRIDE, OMIT].map(mark => ({ mark, part: settingOf(node.tree, mark) }));
  const untrue = values.flatMap(({ mark, part }): Diagnostic[] => {
    if (part === undefined || part.isBroken || typeof part.value === 'boolean') return [];
    return [
      {
        code: 'SCHEMA_TYPE',
        severity: 'error',
        message: `${quotedBriefly(mark)} must be true or false, not ${kindOf(part.value)}`,
        at: node.at(settingPath(mark)),
        hint: `write ${quotedBriefly(`${mark}: true`)}, or remove it`,
      },
    ];
  });
  if (!(isSet(node.tree, OVERRIDE) && isSet(node.tree, OMIT))) return untrue;
  return [
    {
      code: 'SCHEMA_COMBINATION',
      severity: 'error',
      message: '`override` and `omit` exclude each other',
      at: node.at(settingPath(OMIT)),
      hint: 'keep one of the two',
    },
  ];
}

/** The error for an object that another layer already declares. */
export function declaredAgain(
  kind: Kind,
  name: string | null,
  { over, under }: { readonly over: SourceNode; readonly under: SourceNode },
): Diagnostic {
  return {
    code: 'OBJECT_DUPLICATE',
    severity: 'error',
    message: `another layer already declares the ${called(kind, name)}`,
    at: over.at([]),
    hint: `it is at ${spanText(under.at([]))}; to change it here, add \`lifecycle: { override: true }\`, and write only the fields that differ`,
  };
}

/** The errors for guards that an earlier layer sets on an object and that a later layer would remove. */
export function loosened(
  kind: Kind,
  name: string | null,
  {
    over,
    under,
    left,
  }: {
    readonly over: SourceNode;
    readonly under: SourceNode;
    /** The settings that still protect the object after the change. */
    readonly left: readonly string[];
  },
): Diagnostic[] {
  const lost = guardsIn(under.tree).filter(setting => !left.includes(setting));
  return lost.map(setting => ({
    code: 'LAYER_LOOSENS',
    severity: 'error',
    message: `this would remove \`lifecycle.${setting}\`, which another layer set for the ${called(kind, name)}`,
    at: over.at([]),
    hint: `a layer cannot loosen another layer: remove the setting at ${spanText(under.at(settingPath(setting)))}`,
  }));
}

/** The error for a change that would bind an object to another live object, although another layer protects the object. */
export function boundElsewhere(
  kind: Kind,
  name: string | null,
  { over, under }: { readonly over: SourceNode; readonly under: SourceNode },
): Diagnostic {
  const at = guardsIn(under.tree);
  return {
    code: 'LAYER_LOOSENS',
    severity: 'error',
    message: `\`lifecycle.id\` here would bind the ${called(kind, name)}, which another layer protects, to another live object`,
    at: over.at([]),
    hint: `a layer cannot loosen another layer: write \`lifecycle.id\` in the layer that protects the object, at ${spanText(under.at(settingPath(at[0] ?? '')))}`,
  };
}
