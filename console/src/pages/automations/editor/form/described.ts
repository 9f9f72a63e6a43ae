/** Attributes of a control that ties it to its label, its notes and its mistakes. */
export interface Described {
  readonly id: string
  readonly "aria-describedby": string | undefined
  readonly "aria-invalid": true | undefined
}
