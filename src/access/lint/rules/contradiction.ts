// Posture checks that no machine can pass together, because no system or location satisfies all of them.
import { type Fields, isList, isObject, type Json } from '../../../model/value.ts';
import type { PostureCheck } from '../../state/accessState.ts';

/** The contradiction between the checks as a clause; undefined if some machine can pass all of them. */
export function contradictionOf(checks: readonly PostureCheck[]): string | undefined {
  const systems = checks.flatMap(check => partsNamed(check, 'os_version_check')).map(systemsIn);
  const locations = checks.flatMap(check => partsNamed(check, 'geo_location_check'));
  if (systems.length > 0 && common(systems).length === 0)
    return 'no operating system is named by all';
  return locations.length > 0 && !hasLocation(locations)
    ? 'no country or city is allowed by all'
    : undefined;
}

function partsNamed({ checks }: PostureCheck, name: string): readonly Fields[] {
  const part = checks?.[name];
  return isObject(part) ? [part] : [];
}

function systemsIn(check: Fields): readonly string[] {
  return Object.keys(check).filter(system => isObject(check[system]));
}

function common([first = [], ...rest]: readonly (readonly string[])[]): readonly string[] {
  return first.filter(one => rest.every(list => list.includes(one)));
}

interface GeoLocation {
  readonly country: string;
  /** Empty for every city. */
  readonly city: string;
}

function hasLocation(checks: readonly Fields[]): boolean {
  const listed = (action: string) =>
    checks.filter(check => check.action === action).map(({ locations }) => locationsIn(locations));
  const [first, ...rest] = listed('allow');
  if (first === undefined) return true;
  const denied = listed('deny').flat();
  const allowed = rest.reduce<readonly GeoLocation[]>(
    (kept, list) => kept.flatMap(one => list.flatMap(other => both(one, other))),
    first,
  );
  return allowed.some(location => !denied.some(one => isWithin(location, one)));
}

function locationsIn(locations: Json | undefined): readonly GeoLocation[] {
  const entries = isList(locations) ? locations.filter(isObject) : [];
  return entries.map(({ country_code: country, city_name: city }) => ({
    country: typeof country === 'string' ? country.toUpperCase() : '',
    city: typeof city === 'string' ? city : '',
  }));
}

function both(one: GeoLocation, other: GeoLocation): readonly GeoLocation[] {
  if (isWithin(one, other)) return [one];
  return isWithin(other, one) ? [other] : [];
}

const isWithin = (inner: GeoLocation, outer: GeoLocation): boolean =>
  inner.country === outer.country && (outer.city === '' || inner.city === outer.city);
