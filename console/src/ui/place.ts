// A page of a section of the console: its address and its name.
import type { LinkProps } from "@tanstack/react-router"

export interface Place {
  readonly to: NonNullable<LinkProps["to"]>
  readonly text: string
}
