# Sets up a company in a Tryton database with its own wizards: chart of accounts, fiscal year, taxes, parties, products with variants, sales,
# purchases, an incoming shipment, invoices, credit notes and payments. Usage: python3 company.py DATABASE CONFIGURATION
import datetime
import os
import sys
from decimal import Decimal

database, configuration = sys.argv[1:]
# The helpers of Tryton's own tests read it when they are loaded.
os.environ['DB_NAME'] = database

from trytond.config import config as settings

# Before the modules, which open the database that it names.
settings.update_etc(configuration)

from proteus import Model, Wizard, config
from trytond.modules.account.tests.tools import create_chart, create_fiscalyear, create_tax, create_tax_code, get_accounts
from trytond.modules.account_invoice.tests.tools import create_payment_term, set_fiscalyear_invoice_sequences
from trytond.modules.company.tests.tools import create_company, get_company
from trytond.modules.currency.tests.tools import get_currency

config.set_trytond(database=database, config_file=configuration)
today = datetime.date.today()


def saved(model, **values):
    record = Model.get(model)(**values)
    record.save()
    return record


def country(code, name):
    return saved('country.country', code=code, name=name)


# The company, its books and its taxes.
belgium, germany = country('BE', 'Belgium'), country('DE', 'Germany')
euro, dollar = get_currency('EUR'), get_currency('USD')
owner = saved('party.party', name='Orchard & Sons')
owner.addresses[0].country = belgium
owner.save()
create_company(party=owner, currency=euro)
company = get_company()
year = set_fiscalyear_invoice_sequences(create_fiscalyear(company))
year.click('create_period')
create_chart(company)
accounts = get_accounts(company)
taxes = {}
for percent in ('0.21', '0.06'):
    tax = create_tax(Decimal(percent))
    tax.save()
    create_tax_code(tax, 'tax', 'invoice').save()
    taxes[percent] = tax
Journal = Model.get('account.journal')
method = saved('account.invoice.payment.method', name='Cash', journal=Journal.find([('type', '=', 'cash')])[0],
    credit_account=accounts['cash'], debit_account=accounts['cash'])
term = create_payment_term()
term.save()

# Two axes of analytic accounts; lines have an account of one of them, of both or of none.
Analytic = Model.get('analytic_account.account')
axes = []
for axis in ('Orchard', 'Season'):
    root = saved('analytic_account.account', name=axis, type='root')
    axes.append([saved('analytic_account.account', name=f'{axis} {n}', type='normal', root=root, parent=root) for n in (1, 2)])

# Contacts: with addresses, phones, mail, links and identifiers; one that is no longer in use.
def party(name, country, **mechanisms):
    Party = Model.get('party.party')
    record = Party(name=name)
    address = record.addresses[0]
    address.street, address.postal_code, address.city, address.country = f'{len(name)} Mill Road\nBuilding 3', '1000', 'Brussels', country
    for kind, value in mechanisms.items():
        record.contact_mechanisms.new(type=kind, value=value)
    record.save()
    return record


customers = [party(f'Customer {n}', belgium, phone=f'+3225550{n:03}', email=f'buyer{n}@example.com') for n in range(1, 8)]
suppliers = [party(f'Supplier {n}', germany, mobile=f'+491515550{n:04}', website=f'https://supplier{n}.example') for n in range(1, 4)]
identified = customers[0]
identified.identifiers.new(type='eu_vat', code='BE0897290877')
identified.addresses.new(street='Dock 4', city='Antwerp', postal_code='2000', country=belgium)
identified.save()
former = party('Former Customer', belgium)
former.active = False
former.save()

# Items: stocked ones with variants, a service, prices of four decimals.
Uom = Model.get('product.uom')
unit, kilogram = (Uom.find([('name', '=', name)])[0] for name in ('Unit', 'Kilogram'))
category = Model.get('product.category')(name='Goods', accounting=True, account_expense=accounts['expense'],
    account_revenue=accounts['revenue'])
# A record belongs to one list, so each gets a copy of its own.
category.customer_taxes.append(Model.get('account.tax')(taxes['0.21'].id))
category.supplier_taxes.append(Model.get('account.tax')(taxes['0.21'].id))
category.save()


def product(name, price, uom=unit, kind='goods', variants=('',)):
    template = Model.get('product.template')(name=name, default_uom=uom, type=kind, list_price=Decimal(price), code=name[:3].upper(),
        salable=True, purchasable=True, account_category=category)
    while len(template.products) < len(variants):
        template.products.new()
    for variant, suffix in zip(template.products, variants):
        variant.suffix_code = suffix
    template.save()
    return template


# A saved template computes the codes of its variants.
products = [product(f'{name} {n}', f'{n * 3}.1{n:02}', kilogram) for n, name in enumerate(('Apple', 'Pear', 'Quince', 'Medlar'), 1)]
crate = product('Crate', '19.9900', variants=('-S', '-M', '-L'))
advice = product('Advice', '85', kind='service')


def lines(document, rows):
    for template, quantity, price in rows:
        line = document.lines.new(product=template.products[0])
        line.quantity = quantity
        line.unit_price = Decimal(price)
        for entry in line.analytic_accounts:
            for number, axis in enumerate(axes):
                if entry.root == axis[0].root and int(quantity) % 3 != number:
                    entry.account = axis[int(quantity) % 2]


# Sales: drafts, quotations, one that is confirmed.
for n, customer in enumerate(customers):
    sale = Model.get('sale.sale')(party=customer, payment_term=term, sale_date=today - datetime.timedelta(days=n), description=f'Offer {n + 1}')
    lines(sale, [(products[n % 4], n + 1.5, f'{n + 3}.3333'), (advice, 2, '85')])
    sale.save()
    if n > 2:
        sale.click('quote')
    if n > 5:
        sale.click('confirm')

# Purchases, one of them received in part.
Purchase, Move = Model.get('purchase.purchase'), Model.get('stock.move')
for n in range(5):
    purchase = Purchase(party=suppliers[n % 3], payment_term=term, purchase_date=today, currency=dollar if n == 4 else euro)
    lines(purchase, [(products[n % 4], 10 + n, f'1.{n}5'), (crate, 3, '9.9999')])
    purchase.save()
    if n > 0:
        purchase.click('quote')
    if n in (1, 2):
        purchase.click('confirm')
    if n == 1:
        shipment = Model.get('stock.shipment.in')(supplier=purchase.party, reference='DN-77')
        for move in purchase.moves[:1]:
            shipment.incoming_moves.append(Move(id=move.id))
        shipment.save()
        shipment.click('receive')
        shipment.click('done')

# Invoices of both directions: drafts, posted, paid in part and in full, credited.
Invoice = Model.get('account.invoice')


def invoice(kind, party, rows, post=True, **values):
    record = Invoice(type=kind, party=party, payment_term=term, invoice_date=today, **values)
    lines(record, rows)
    record.save()
    if post:
        record.click('post')
    return record


def pay(record, amount=None):
    wizard = Wizard('account.invoice.pay', [record])
    wizard.form.payment_method = method
    wizard.form.date = today
    if amount:
        wizard.form.amount = Decimal(amount)
    wizard.execute('choice')
    if amount:
        wizard.form.type = 'partial'
        wizard.execute('pay')


for n, customer in enumerate(customers):
    out = invoice('out', customer, [(products[n % 4], n + 1, f'{n}.7501'), (crate, 2, '19.99')], post=n > 0, description=f'Delivery {n}')
    if n in (2, 3):
        pay(out, None if n == 2 else '10.00')
    if n == 4:
        credit = Wizard('account.invoice.credit', [out])
        credit.form.with_refund = False
        credit.execute('credit')
for n, supplier in enumerate(suppliers):
    bill = invoice('in', supplier, [(products[n], 5 + n, f'2.{n}4')], post=n > 0, reference=f'F-{n + 100}')
    if n == 1:
        pay(bill)
    if n == 2:
        credit = Wizard('account.invoice.credit', [bill])
        credit.form.with_refund = False
        credit.execute('credit')

# Lines with several taxes: two and three of them, one of which is an amount for each unit, and documents of each kind that has them.
levy, deposit = create_tax(Decimal('0.015')), create_tax(Decimal('0'))
levy.save()
deposit.name, deposit.description = 'Deposit', 'Deposit'
deposit.type, deposit.rate, deposit.amount = 'fixed', None, Decimal('0.25')
deposit.save()


def several(record, *sets):
    for line, ids in zip(record.lines, sets):
        while line.taxes:
            line.taxes.pop()
        for tax in ids:
            line.taxes.append(Model.get('account.tax')(tax.id))
    record.save()
    return record


pair, three = (taxes['0.06'], levy), (taxes['0.21'], levy, deposit)
goods = [(products[0], 7, '13.3337'), (crate, 3, '0.99'), (advice, 1, '85')]
for model, partner in (('sale.sale', customers[0]), ('purchase.purchase', suppliers[0])):
    order = Model.get(model)(party=partner, payment_term=term)
    lines(order, goods)
    order.save()
    several(order, (levy, deposit), pair)
for kind, partner in (('out', customers[0]), ('in', suppliers[0])):
    record = several(invoice(kind, partner, goods, post=False), pair, three, pair)
    record.click('post')
    if kind == 'out':
        credit = Wizard('account.invoice.credit', [record])
        credit.form.with_refund = False
        credit.execute('credit')

# Payments that were ordered by the module account_payment, in each of its states; one has come into the books since, one refunds a credit note.
journal = saved('account.payment.journal', name='Transfers', process_method='manual')


def order_payment(record, kind, amount, *steps):
    payment = saved('account.payment', journal=journal, kind=kind, party=record.party, date=today, amount=Decimal(amount),
        line=Model.get('account.move.line')(record.lines_to_pay[0].id), description=f'Transfer {amount}')
    for step in steps:
        if step == 'process':
            Wizard('account.payment.process', [payment]).execute('process')
            payment.reload()
        else:
            payment.click(step)
    return payment


paid_steps = ('approve', 'process', 'succeed')
for amount, steps in (('11.00', ()), ('12.00', ('approve',)), ('13.00', ('approve', 'process')), ('14.00', paid_steps),
        ('15.00', ('approve', 'process', 'fail')), ('16.50', paid_steps)):
    out = invoice('out', customers[1], [(crate, 2, '19.99')])
    order_payment(out, 'receivable', amount, *steps)
order_payment(out, 'receivable', '1.25', *paid_steps)
ordered = invoice('out', customers[1], [(crate, 2, '19.99')])
failed = order_payment(ordered, 'receivable', str(ordered.total_amount), 'approve', 'process', 'fail')
ordered.reload()
pay(ordered)
failed.click('succeed')
bill = invoice('in', suppliers[1], [(products[1], 5, '2.50')], reference='F-200')
order_payment(bill, 'payable', '3.75', *paid_steps)
refund = invoice('out', customers[1], [(crate, -2, '19.99')])
order_payment(refund, 'payable', '4.20', *paid_steps)
