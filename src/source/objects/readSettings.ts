// The settings of an object in `lifecycle`, before anything has checked them.
import type { Lifecycle } from '../../model/object.ts';
import { isList, isObject, type Json } from '../../model/value.ts';

const isText = (value: Json): boolean => typeof value === 'string';
const isSwitch = (value: Json): boolean => typeof value === 'boolean';
const isListOfText = (value: Json): boolean => isList(value) && value.every(isText);

const IS_OF_TYPE: { readonly [Name in keyof Required<Lifecycle>]: (value: Json) => boolean } = {
  id: isText,
  was: isText,
  protect: isSwitch,
  break_glass: isSwitch,
  delete: isSwitch,
  until: isText,
  ignore: isListOfText,
  exact: isListOfText,
  renew_before: isText,
  keep_access: isText,
  lint_ignore: isObject,
};

const types = new Map(Object.entries(IS_OF_TYPE));

/**
 * The settings in the value of `lifecycle`. A setting whose value has the wrong type is omitted:
 * the schema reports it, and code that reads the settings can rely on their types.
 */
export function readSettings(lifecycle: Json | undefined): Lifecycle {
  if (!isObject(lifecycle)) return {};
  const own = Object.entries(lifecycle).filter(([name, value]) => types.get(name)?.(value) ?? true);
  return Object.fromEntries(own);
}
