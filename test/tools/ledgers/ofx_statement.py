# Writes an OFX statement by the library of ofxstatement, and prints what it states of it. ofx_statement.py FILE SEED
import datetime
import json
import random
import sys
from decimal import Decimal
from importlib.metadata import version

from ofxstatement.ofx import OfxWriter
from ofxstatement.statement import TRANSACTION_TYPES, Statement, StatementLine

TRANSACTIONS = 500

file, seed = sys.argv[1:]
draw = random.Random(int(seed))
statement = Statement('20041010', 'NL12TEST0123456789', 'EUR')
statement.start_balance = balance = Decimal('1000.00')
for number in range(TRANSACTIONS):
    day = datetime.datetime(2025, 1, 1) + datetime.timedelta(days=draw.randrange(365))
    amount = Decimal(draw.randrange(-5_000_000, 5_000_000)) / 100
    line = StatementLine(f'T-{number}', day, draw.choice(['Rechnung & "Öl" <7>', 'lunch', None]), amount)
    line.payee = draw.choice(['Möbel Söhne', 'Ada Lovelace'])
    line.refnum = draw.choice([None, f'R{number}'])
    line.trntype = draw.choice(TRANSACTION_TYPES)
    statement.lines.append(line)
    balance += amount
statement.start_date, statement.end_date, statement.end_balance = datetime.datetime(2025, 1, 1), datetime.datetime(2025, 12, 31), balance
statement.assert_valid()
with open(file, 'w', encoding='utf-8') as out:
    out.write(OfxWriter(statement).toxml())
print(json.dumps({
    'version': version('ofxstatement'),
    'account': statement.account_id,
    'balance': str(balance),
    'transactions': [
        [
            line.id, str(line.amount), line.date.strftime('%Y-%m-%d'), line.refnum,
            ' '.join(part for part in (line.payee, line.memo) if part),
        ]
        for line in statement.lines
    ],
}))
