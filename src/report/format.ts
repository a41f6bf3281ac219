// The formats of a report: by the name of the format, the file that renders it. A file is loaded only when its format is used.

/** The export of a format's file, which renders the report as it is printed on stdout. */
interface Renderer<Report> {
  readonly render: (report: Report) => string;
}

/** The formats of a report, by their names for `--format`; the first is the default. */
export type Formats<Report> = Readonly<Record<string, () => Promise<Renderer<Report>>>>;
