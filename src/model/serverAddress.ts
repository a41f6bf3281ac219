// The address of a server in the form in which addresses are compared.

/**
 * The address of a server in one form, without credentials; null if the text is not an address. Users paste it with or without
 * the path with which every call begins.
 */
export function serverAddress(text: string): string | null {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) return null;
  if (url.search || url.hash) return null;
  return `${url.origin}${url.pathname.replace(/\/+$/, '').replace(/\/api$/, '')}`;
}
