// Rows of a CSV file (RFC 4180, and what programs make of it), read from pieces of its text, wherever those are cut. Each row knows
// the line of the file on which it begins; one that is not well formed says why.
import type { CsvRow } from "./csvText.ts"

export interface ReadRow {
  /** Line number in the file, from 1. */
  readonly line: number
  readonly cells: CsvRow
  readonly fault?: string
  /** Indexes of cells with the character U+0000, which no field can hold. */
  readonly nulColumns?: ReadonlyArray<number>
}

/** A cell is held as long as this; a quote that nobody closes would take in the rest of the file. */
const CELL_AT_MOST = 1_000_000

export class CsvReader {
  readonly #separator: string
  #rows: Array<ReadRow> = []
  #cells: Array<string> = []
  #cell = ""
  #state: "start" | "plain" | "quoted" | "closed" = "start"
  #fault: string | undefined
  #line: number
  #began: number
  /** The line on which the quote was opened. */
  #opened: number
  #afterReturn = false

  /** @param line of the file with which the text begins */
  constructor(separator: string, line = 1) {
    this.#separator = separator
    this.#line = this.#began = this.#opened = line
  }

  /** Line after the text so far. */
  get line(): number {
    return this.#line
  }

  /** True if no row is open. */
  get isBetweenRows(): boolean {
    return this.#state === "start" && this.#cells.length === 0
  }

  /** True within a quote. */
  get isQuoted(): boolean {
    return this.#state === "quoted"
  }

  /** Marks the open row, or the next one, as not well formed. */
  fail(fault: string) {
    this.#fault ??= fault
  }

  /** The rows that end within the piece. */
  push(text: string): ReadonlyArray<ReadRow> {
    let from = 0
    for (let position = 0; position < text.length; position++) {
      const sign = text[position]!
      if (this.#state === "quoted") {
        if (sign === '"') {
          this.#add(text, from, position)
          this.#state = "closed"
          this.#afterReturn = false
        } else this.#count(sign)
        continue
      }
      const endsCell = sign === this.#separator || sign === "\n" || sign === "\r"
      if (endsCell) {
        if (this.#state === "plain") this.#add(text, from, position)
        // The line feed behind a carriage return belongs to it.
        if (!(sign === "\n" && this.#afterReturn)) {
          this.#endCell()
          if (sign !== this.#separator) this.#endRow()
        }
        this.#count(sign)
        if (sign !== this.#separator) this.#began = this.#line
        continue
      }
      this.#afterReturn = false
      if (this.#state === "start") {
        if (sign === '"') {
          this.#state = "quoted"
          this.#opened = this.#line
          from = position + 1
        } else {
          this.#state = "plain"
          from = position
        }
      } else if (this.#state === "closed") {
        if (sign === '"') {
          // Two of them are one.
          this.#state = "quoted"
          from = position
        } else if (sign !== " ") {
          this.#fault ??= `behind the quote that was opened on line ${this.#opened} more text follows; a quote within quotes is written twice`
          this.#state = "plain"
          from = position
        }
      }
    }
    if (this.#state === "quoted" || this.#state === "plain") this.#add(text, from, text.length)
    return this.#taken()
  }

  /** The last row, where no line end follows it. */
  end(): ReadonlyArray<ReadRow> {
    if (this.#state === "quoted") this.#fault ??= `the quote that was opened on line ${this.#opened} is never closed`
    if (this.#state !== "start" || this.#cells.length > 0) {
      this.#endCell()
      this.#endRow()
    }
    return this.#taken()
  }

  #add(text: string, from: number, to: number) {
    const remainingLength = CELL_AT_MOST - this.#cell.length
    if (to - from > remainingLength)
      this.#fault ??= `a cell is longer than ${CELL_AT_MOST.toLocaleString("en")} characters`
    this.#cell += text.slice(from, Math.min(to, from + remainingLength))
  }

  #count(sign: string) {
    if (sign === "\r" || (sign === "\n" && !this.#afterReturn)) this.#line++
    this.#afterReturn = sign === "\r"
  }

  #endCell() {
    this.#cells.push(this.#cell)
    this.#cell = ""
    this.#state = "start"
  }

  #endRow() {
    const row = { line: this.#began, cells: this.#cells }
    this.#rows.push(this.#fault === undefined ? row : { ...row, fault: this.#fault })
    this.#cells = []
    this.#fault = undefined
  }

  #taken() {
    const rows = this.#rows
    this.#rows = []
    return rows
  }
}
