// The named forms of the keyword `auditEvents`: the content of an audit log entry about an object of the kind.
import { choice, either, kindRef, list, ownField, text } from './form.ts';
import { mapOf, oneStrategyOf, record, strategy } from './record.ts';

const codes = list(text);

/** How an event identifies its object. */
const about = either(
  choice({ parent: 'The target is the parent of the object.' }),
  either(record({ meta: text }), either(record({ field: ownField }), record({ only: kindRef }))),
);

/** The entries of `meta`, each with the field of the object whose value it repeats. */
const named = mapOf(text, ownField);

/** How an event identifies the parent of its object: the entries of `meta` with the id and the name of the parent. */
const within = record({ id: text, name: text });

/** How an event identifies its member. */
const member = record({ meta: text });

export const AUDIT_EVENTS = oneStrategyOf({
  create: strategy(
    'The object was created. `about` says how the event identifies the object: the target is its `parent`, an entry of `meta` has its id, the target is the value of its `field`, or it is about the `only` object of the kind; otherwise the target is its id. `named` maps entries of `meta` to the fields with the same values, and `within` has the entries with the id and the name of the parent. `byMachines` are the codes of events with which machines create temporary objects: an object without a declaration is then deleted only if one of `codes` is about it; otherwise an export leaves it out.',
    { codes, about, named, within, byMachines: codes },
    ['about', 'named', 'within', 'byMachines'],
  ),
  update: strategy(
    'The object was changed. `fields` are the fields that the event can be about; without it, every field that no other entry has. `was` is like `named`, for values before the change.',
    { codes, fields: list(ownField), about, named, was: named, within },
    ['fields', 'about', 'named', 'was', 'within'],
  ),
  delete: strategy(
    'The object was deleted. A deleted object is identified by `named`.',
    { codes, about, named, within },
    ['about', 'named', 'within'],
  ),
  join: strategy(
    'A member joined the set in `field`. `member` is the entry of `meta` that has the id of the member; otherwise the target is the member.',
    { codes, field: ownField, about, member },
    ['about', 'member'],
  ),
  leave: strategy(
    'A member left the set in `field`, like `join`.',
    { codes, field: ownField, about, member },
    ['about', 'member'],
  ),
  silent: strategy(
    'The server changes `field` without an event. `because` is the explanation in messages if no event explains a difference.',
    { field: ownField, because: text },
    [],
  ),
});
