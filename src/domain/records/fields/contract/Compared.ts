// Values of a field as conditions compare them (developer-api.md 3.4; decisions A10, A11). Empty fields have none.

export type Compared =
  /** Entries as plain text. `cased`: `is` and `is_not` compare case. `present`: not empty although there is no text. */
  | {
      readonly set: "TEXT" | "LIST" | "LINK" | "LOC"
      readonly texts: ReadonlyArray<string>
      readonly cased: boolean
      readonly present?: boolean
    }
  | { readonly set: "CHECK"; readonly entries: ReadonlyArray<{ readonly title: string; readonly done: boolean }> }
  | { readonly set: "NUM"; readonly number: number | null }
  /** `either`: the operators of both, since older names of field types cover single and multiple ones. */
  | { readonly set: "ONE" | "MANY"; readonly ids: ReadonlyArray<number>; readonly either?: boolean }
  | { readonly set: "STATUS"; readonly ids: ReadonlyArray<number>; readonly completed: boolean | null }
  | { readonly set: "BOOL"; readonly boolean: boolean | null }
  /** UTC: `YYYY-MM-DD` for a calendar date, `YYYY-MM-DD HH:mm:ss` for an instant. */
  | { readonly set: "DATE"; readonly date: { readonly start: string; readonly end?: string } | null }
