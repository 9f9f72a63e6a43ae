// Positions the rows of a list that may be longer than a browser can draw: elements end at some 17 million pixels. Up to that height a row
// is at its own position. Beyond it the scroll bar covers more rows than it has pixels for, while small steps still scroll pixel by pixel.

const MOST = 15_000_000

/** Scroll position, of the box (`real`) and among the rows (`virtual`). */
export interface Place {
  readonly real: number
  readonly virtual: number
}

export const top: Place = { real: 0, virtual: 0 }

/** A list of rows and the box that shows a part of it, in pixels. */
export interface Extent {
  readonly count: number
  readonly rowHeight: number
  readonly view: number
}

/** The height of all rows as it is drawn. */
const heightOf = ({ count, rowHeight }: Extent) => Math.min(count * rowHeight, MOST)

const between = (least: number, value: number, most: number) => Math.max(least, Math.min(value, most))

const ranges = (extent: Extent) => {
  const { count, rowHeight, view } = extent
  const real = Math.max(1, heightOf(extent) - view)
  const virtual = Math.max(1, count * rowHeight - view)
  return { real, virtual, ratio: virtual / real }
}

/** After the box was scrolled. Towards both ends the pace grows, so that the first and the last row stand where the scroll bar ends. */
export const scrolled = (before: Place, real: number, extent: Extent): Place => {
  const { count, rowHeight, view } = extent
  const most = ranges(extent)
  if (count * rowHeight <= MOST) return { real, virtual: real }
  const step = real - before.real
  const virtualTarget = Math.abs(step) <= view ? before.virtual + step : real * most.ratio
  const steep = 4 * most.ratio
  const least = Math.max(0, most.virtual - (most.real - real) * steep)
  return { real, virtual: between(least, virtualTarget, Math.min(most.virtual, real * steep)) }
}

/** Scroll position that shows a row: the current one if it does already, else the nearest. */
export const showing = (place: Place, row: number, extent: Extent): Place => {
  const { rowHeight, view } = extent
  const [from, until] = [row * rowHeight, (row + 1) * rowHeight]
  const virtual = from < place.virtual ? from : until > place.virtual + view ? Math.max(0, until - view) : place.virtual
  if (virtual === place.virtual) return place
  const most = ranges(extent)
  const step = virtual - place.virtual
  const real = Math.abs(step) <= view ? place.real + step : virtual / most.ratio
  return { real: between(0, Math.round(real), most.real), virtual }
}

/** The rows that are drawn, and the room before them. */
export const drawn = ({ real, virtual }: Place, extent: Extent, more: number) => {
  const { count, rowHeight, view } = extent
  const firstRow = Math.max(0, Math.floor(virtual / rowHeight) - more, Math.ceil((virtual - real) / rowHeight))
  const lastRow = Math.min(count, Math.ceil((virtual + view) / rowHeight) + more)
  const spaceBefore = Math.max(0, real + firstRow * rowHeight - virtual)
  return {
    first: firstRow,
    last: lastRow,
    before: spaceBefore,
    after: Math.max(0, heightOf(extent) - spaceBefore - (lastRow - firstRow) * rowHeight)
  }
}
