-- Dictionaries that the product itself uses.
SET LOCAL app.company_id = '00000000-0000-0000-0000-000000000000';
INSERT INTO system.dict (company_id, code, name, sort, remark) VALUES
  ('00000000-0000-0000-0000-000000000000', 'country', '国家/地区', 10, '收货、站点与公司所在地，ISO 3166 两位代码'),
  ('00000000-0000-0000-0000-000000000000', 'currency', '币种', 20, 'ISO 4217 代码'),
  ('00000000-0000-0000-0000-000000000000', 'unit_quantity', '数量单位', 30, '商品与采购的计量单位'),
  ('00000000-0000-0000-0000-000000000000', 'unit_weight', '重量单位', 40, ''),
  ('00000000-0000-0000-0000-000000000000', 'unit_length', '长度单位', 50, ''),
  ('00000000-0000-0000-0000-000000000000', 'amazon_marketplace', '亚马逊站点', 60, '站点编号与国家代码'),
  ('00000000-0000-0000-0000-000000000000', 'fulfillment_channel', '配送方式', 70, ''),
  ('00000000-0000-0000-0000-000000000000', 'payment_method', '付款方式', 80, '采购与请款'),
  ('00000000-0000-0000-0000-000000000000', 'settlement_term', '结算方式', 90, '供应商结算'),
  ('00000000-0000-0000-0000-000000000000', 'transport_mode', '运输方式', 100, '头程物流'),
  ('00000000-0000-0000-0000-000000000000', 'yes_no', '是否', 110, '');

INSERT INTO system.dict_item (company_id, dict_code, value, name, sort)
  SELECT '00000000-0000-0000-0000-000000000000', 'country', value, name, sort * 10 FROM unnest(
    ARRAY['CN', 'US', 'CA', 'MX', 'BR', 'UK', 'DE', 'FR', 'IT', 'ES', 'NL', 'SE', 'PL', 'BE', 'IE', 'TR', 'AE', 'SA', 'EG', 'IN', 'JP', 'SG', 'AU', 'ZA', 'HK', 'TW', 'KR', 'VN', 'TH'],
    ARRAY['中国', '美国', '加拿大', '墨西哥', '巴西', '英国', '德国', '法国', '意大利', '西班牙', '荷兰', '瑞典', '波兰', '比利时', '爱尔兰', '土耳其', '阿联酋', '沙特阿拉伯', '埃及', '印度', '日本', '新加坡', '澳大利亚', '南非', '中国香港', '中国台湾', '韩国', '越南', '泰国']
  ) WITH ORDINALITY AS item (value, name, sort);
INSERT INTO system.dict_item (company_id, dict_code, value, name, sort)
  SELECT '00000000-0000-0000-0000-000000000000', 'currency', value, name, sort * 10 FROM unnest(
    ARRAY['CNY', 'USD', 'EUR', 'GBP', 'JPY', 'CAD', 'MXN', 'BRL', 'AUD', 'INR', 'SEK', 'PLN', 'TRY', 'AED', 'SAR', 'EGP', 'SGD', 'ZAR', 'HKD', 'KRW'],
    ARRAY['人民币', '美元', '欧元', '英镑', '日元', '加拿大元', '墨西哥比索', '巴西雷亚尔', '澳大利亚元', '印度卢比', '瑞典克朗', '波兰兹罗提', '土耳其里拉', '阿联酋迪拉姆', '沙特里亚尔', '埃及镑', '新加坡元', '南非兰特', '港元', '韩元']
  ) WITH ORDINALITY AS item (value, name, sort);
INSERT INTO system.dict_item (company_id, dict_code, value, name, sort)
  SELECT '00000000-0000-0000-0000-000000000000', 'unit_quantity', value, name, sort * 10 FROM unnest(
    ARRAY['piece', 'set', 'pair', 'box', 'carton', 'bag', 'roll', 'sheet', 'bottle', 'meter'],
    ARRAY['件', '套', '双', '盒', '箱', '袋', '卷', '张', '瓶', '米']
  ) WITH ORDINALITY AS item (value, name, sort);
INSERT INTO system.dict_item (company_id, dict_code, value, name, sort)
  SELECT '00000000-0000-0000-0000-000000000000', 'unit_weight', value, name, sort * 10 FROM unnest(
    ARRAY['g', 'kg', 'oz', 'lb'],
    ARRAY['克', '千克', '盎司', '磅']
  ) WITH ORDINALITY AS item (value, name, sort);
INSERT INTO system.dict_item (company_id, dict_code, value, name, sort)
  SELECT '00000000-0000-0000-0000-000000000000', 'unit_length', value, name, sort * 10 FROM unnest(
    ARRAY['mm', 'cm', 'm', 'in', 'ft'],
    ARRAY['毫米', '厘米', '米', '英寸', '英尺']
  ) WITH ORDINALITY AS item (value, name, sort);
INSERT INTO system.dict_item (company_id, dict_code, value, name, sort)
  SELECT '00000000-0000-0000-0000-000000000000', 'amazon_marketplace', value, name, sort * 10 FROM unnest(
    ARRAY['ATVPDKIKX0DER', 'A2EUQ1WTGCTBG2', 'A1AM78C64UM0Y8', 'A2Q3Y263D00KWC', 'A1F83G8C2ARO7P', 'A1PA6795UKMFR9', 'A13V1IB3VIYZZH', 'APJ6JRA9NG5V4', 'A1RKKUPIHCS9HS', 'A1805IZSGTT6HS', 'A2NODRKZP88ZB9', 'A1C3SOZRARQ6R3', 'A33AVAJ2PDY3EV', 'A2VIGQ35RCS4UG', 'A17E79C6D8DWNP', 'ARBP9OOSHTCHU', 'A21TJRUUN4KGV', 'A1VC38T7YXB528', 'A19VAU5U5O7RUS', 'A39IBJ37TRP1C6'],
    ARRAY['美国', '加拿大', '墨西哥', '巴西', '英国', '德国', '法国', '意大利', '西班牙', '荷兰', '瑞典', '波兰', '土耳其', '阿联酋', '沙特阿拉伯', '埃及', '印度', '日本', '新加坡', '澳大利亚']
  ) WITH ORDINALITY AS item (value, name, sort);
INSERT INTO system.dict_item (company_id, dict_code, value, name, sort)
  SELECT '00000000-0000-0000-0000-000000000000', 'fulfillment_channel', value, name, sort * 10 FROM unnest(
    ARRAY['AFN', 'MFN'],
    ARRAY['亚马逊配送（FBA）', '卖家自配送（FBM）']
  ) WITH ORDINALITY AS item (value, name, sort);
INSERT INTO system.dict_item (company_id, dict_code, value, name, sort)
  SELECT '00000000-0000-0000-0000-000000000000', 'payment_method', value, name, sort * 10 FROM unnest(
    ARRAY['bank', 'alipay', 'wechat', '1688', 'cash'],
    ARRAY['银行转账', '支付宝', '微信支付', '1688 平台支付', '现金']
  ) WITH ORDINALITY AS item (value, name, sort);
INSERT INTO system.dict_item (company_id, dict_code, value, name, sort)
  SELECT '00000000-0000-0000-0000-000000000000', 'settlement_term', value, name, sort * 10 FROM unnest(
    ARRAY['prepaid', 'deposit', 'delivery', 'monthly'],
    ARRAY['款到发货', '定金加尾款', '货到付款', '月结']
  ) WITH ORDINALITY AS item (value, name, sort);
INSERT INTO system.dict_item (company_id, dict_code, value, name, sort)
  SELECT '00000000-0000-0000-0000-000000000000', 'transport_mode', value, name, sort * 10 FROM unnest(
    ARRAY['sea', 'air', 'rail', 'truck', 'express'],
    ARRAY['海运', '空运', '铁路', '卡航', '快递']
  ) WITH ORDINALITY AS item (value, name, sort);
INSERT INTO system.dict_item (company_id, dict_code, value, name, sort)
  SELECT '00000000-0000-0000-0000-000000000000', 'yes_no', value, name, sort * 10 FROM unnest(
    ARRAY['1', '0'],
    ARRAY['是', '否']
  ) WITH ORDINALITY AS item (value, name, sort);
