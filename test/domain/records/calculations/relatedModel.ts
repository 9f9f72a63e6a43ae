// Three apps that read one another, in memory: what their calculations give is made from nothing each time, by plain arithmetic on whole
// numbers.
export interface Line {
  readonly id: number
  price: number | null
  quantity: number | null
  live: boolean
}
export interface Order {
  readonly id: number
  lines: ReadonlyArray<number>
  discount: number | null
  live: boolean
}
export interface Customer {
  readonly id: number
  orders: ReadonlyArray<number>
  live: boolean
}

/** Expressions of `amount` of a line. */
export const amounts = {
  "price * quantity": (price: number, quantity: number) => price * quantity,
  "price + quantity": (price: number, quantity: number) => price + quantity,
  // No result, where nothing is to be divided by.
  "quantity === 0 || quantity === null ? 1 / 0 : price - quantity": (price: number, quantity: number) =>
    quantity === 0 ? null : price - quantity
} satisfies Record<string, (price: number, quantity: number) => number | null>

/** Expressions of `total` of an order, over the amounts of its live lines that have one. */
export const totals = {
  "sum(related(lines).amount) - discount": (list: ReadonlyArray<number>, discount: number) => sumOf(list) - discount,
  "count_not_empty(related(lines).amount) + discount": (list: ReadonlyArray<number>, discount: number) =>
    list.length + discount,
  "sum(related(lines).filter((line) => line.amount > 10).amount)": (list: ReadonlyArray<number>) =>
    sumOf(list.filter((amount) => amount > 10))
} satisfies Record<string, (list: ReadonlyArray<number>, discount: number) => number>

const sumOf = (list: ReadonlyArray<number>) => list.reduce((sum, value) => sum + value, 0)

export class Model {
  readonly lines: Array<Line> = []
  readonly orders: Array<Order> = []
  readonly customers: Array<Customer> = []
  amount: keyof typeof amounts = "price * quantity"
  total: keyof typeof totals = "sum(related(lines).amount) - discount"

  amountOf({ price, quantity }: Line) {
    return amounts[this.amount](price ?? 0, quantity ?? 0)
  }

  private linesOf(order: Order) {
    return order.lines.flatMap((id) => this.lines.filter((line) => line.id === id && line.live))
  }

  totalOf(order: Order) {
    const list = this.linesOf(order).flatMap((line) => this.amountOf(line) ?? [])
    return totals[this.total](list, order.discount ?? 0)
  }

  countOf(order: Order) {
    return this.linesOf(order).length
  }

  private ordersOf(customer: Customer) {
    return customer.orders.flatMap((id) => this.orders.filter((order) => order.id === id && order.live))
  }

  spentOf(customer: Customer) {
    return sumOf(this.ordersOf(customer).map((order) => this.totalOf(order)))
  }

  itemsOf(customer: Customer) {
    return sumOf(this.ordersOf(customer).map((order) => this.countOf(order))) * 2
  }
}
