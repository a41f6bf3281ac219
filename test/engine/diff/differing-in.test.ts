// The fields in which an object differs, as plans name them.
import { expect, test } from 'vitest';
import { differingIn } from '../../../src/engine/diff/comparedOnlyChanges.ts';
import type { FieldChange } from '../../../src/model/change.ts';
import { kindName } from '../../../src/model/names.ts';
import { KINDS } from '../../support/files.ts';

test('items of lists have their names, not their keys', () => {
  const change = (...path: string[]): FieldChange => ({ type: 'value', path, before: 1, after: 2 });
  const fields = [change('targets', '/{"peer":"web"}', 'port'), change('enabled')];
  expect(differingIn([{ kind: kindName('proxy_service'), fields }], KINDS)).toBe(
    '`enabled`, `targets["peer/web"].port`',
  );
});
