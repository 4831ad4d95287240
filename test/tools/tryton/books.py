# Adds books to the company of company.py: a fiscal year before the present one, three currencies whose rates change, invoices of both directions,
# credit notes, payments in full and in part, and moves of the general journal. Usage: python3 books.py DATABASE CONFIGURATION SEED
import datetime
import os
import random
import sys
from decimal import Decimal

database, configuration, seed = sys.argv[1:]
os.environ['DB_NAME'] = database

from trytond.config import config as settings

settings.update_etc(configuration)

from proteus import Model, Wizard, config
from trytond.modules.account.tests.tools import create_fiscalyear, get_accounts
from trytond.modules.account_invoice.tests.tools import set_fiscalyear_invoice_sequences
from trytond.exceptions import UserWarning
from trytond.modules.company.tests.tools import get_company

session = config.set_trytond(database=database, config_file=configuration)
draw = random.Random(int(seed))
company = get_company()
this_year = datetime.date.today().year
last = set_fiscalyear_invoice_sequences(create_fiscalyear(company, datetime.date(this_year - 1, 6, 1)))
last.click('create_period')
accounts = get_accounts(company)
Account, Type = Model.get('account.account'), Model.get('account.account.type')
equity, = Type.find([('name', '=', 'Equity'), ('company', '=', company.id)], limit=1)
capital = Account(name='Capital', code='3000', type=equity, company=company)
capital.save()

# Units of each currency for one of a common one.
Currency, Rate = Model.get('currency.currency'), Model.get('currency.currency.rate')
pound = Currency(name='Pound', symbol='£', code='GBP', rounding=Decimal('0.01'))
pound.save()
Rate(currency=pound, date=datetime.date.min, rate=Decimal('1.7131')).save()
dollar, euro = (Currency.find([('code', '=', code)])[0] for code in ('USD', 'EUR'))
for currency, base in ((dollar, '1.0'), (pound, '1.7131')):
    for month in range(1, 24, 2):
        day = datetime.date(this_year - 1 + month // 12, month % 12 + 1, 1)
        Rate(currency=currency, date=day, rate=Decimal(base) + Decimal(draw.randrange(-900, 900)) / 10000).save()

Party, Invoice, Move = Model.get('party.party'), Model.get('account.invoice'), Model.get('account.move')
customers = Party.find([('name', 'like', 'Customer %')])
suppliers = Party.find([('name', 'like', 'Supplier %')])
Term = Model.get('account.invoice.payment_term')
net = Term(name='Net 30')
net.lines.new(type='remainder').relativedeltas.new(days=30)
net.save()
method = Model.get('account.invoice.payment.method').find([])[0]
taxes = Model.get('account.tax').find([])
journals = Model.get('account.journal').find([('type', '=', 'general')])
Period = Model.get('account.period')
# Numbers follow the days, and company.py has used those of the present day.
days = sorted(datetime.date(this_year - 1, 1, 3) + datetime.timedelta(days=draw.randrange(360)) for _ in range(90))
days += [datetime.date.today()] * 25


def confirmed(action):
    # Tryton warns of days in the past until somebody has taken the warning.
    while True:
        try:
            return action()
        except UserWarning as warning:
            Model.get('res.user.warning')(user=session.user, name=warning.name, always=True).save()


def cents(most):
    return Decimal(draw.randrange(100, most)) / 100


def invoice(kind, day):
    record = Invoice(type=kind, party=draw.choice(customers if kind == 'out' else suppliers), payment_term=net, invoice_date=day,
        currency=draw.choice([euro, dollar, pound]))
    for _ in range(draw.randrange(1, 4)):
        line = record.lines.new(account=accounts['revenue' if kind == 'out' else 'expense'], quantity=draw.randrange(1, 9),
            unit_price=cents(90000), description='Goods')
        if draw.random() < 0.6:
            line.taxes.append(Model.get('account.tax')(draw.choice(taxes).id))
    record.save()
    confirmed(lambda: record.click('post'))
    return record


def pay(record, day, part):
    wizard = Wizard('account.invoice.pay', [record])
    wizard.form.payment_method = method
    wizard.form.date = day
    wizard.form.amount = (record.amount_to_pay * part).quantize(Decimal('0.01'))
    confirmed(lambda: wizard.execute('choice'))
    if wizard.state == 'ask':
        wizard.form.type = 'partial'
        confirmed(lambda: wizard.execute('pay'))


credited = []
for day in days:
    record = invoice(draw.choice(['out', 'out', 'in']), day)
    later = min(day + datetime.timedelta(days=draw.randrange(1, 80)), datetime.date.today())
    luck = draw.random()
    if luck < 0.3:
        pay(record, later, Decimal('0.37'))
    elif luck < 0.6:
        pay(record, later, Decimal(1))
    elif luck < 0.75:
        credited.append(record)

# Credit notes are of the present day, and no number of a year may be given to an earlier one after them.
for record in credited:
    credit = Wizard('account.invoice.credit', [record])
    # A refund at another rate would need a method for the difference, and one of a supplier has no day yet.
    credit.form.with_refund = record.currency == euro and record.type == 'out'
    confirmed(lambda: credit.execute('credit'))

for draft in Invoice.find([('state', '=', 'draft'), ('lines.origin', 'like', 'account.invoice.line,%')]):
    draft.invoice_date = datetime.date.today()
    confirmed(lambda: draft.click('post'))

for _ in range(110):
    day = datetime.date(this_year - 1, 1, 2) + datetime.timedelta(days=draw.randrange(700))
    period = Period.find([('start_date', '<=', day), ('end_date', '>=', day), ('type', '=', 'standard')])
    if not period:
        continue
    move = Move(journal=journals[0], date=day, period=period[0], company=company)
    rest = Decimal(0)
    for _ in range(draw.randrange(2, 7)):
        name = draw.choice(['cash', 'revenue', 'expense', 'receivable', 'payable'])
        amount = cents(500000)
        line = move.lines.new(account=accounts[name])
        line.debit, line.credit = (amount, Decimal(0)) if draw.random() < 0.5 else (Decimal(0), amount)
        if name in ('receivable', 'payable'):
            line.party = draw.choice(customers if name == 'receivable' else suppliers)
            line.maturity_date = day + datetime.timedelta(days=draw.randrange(0, 60))
        rest += line.debit - line.credit
    line = move.lines.new(account=capital)
    line.debit, line.credit = (Decimal(0), rest) if rest > 0 else (-rest, Decimal(0))
    move.save()
    confirmed(lambda: move.click('post'))
