"""Folds a reply to one way of writing: simplified script, half-width, lower case, no skin tones."""

import re
import unicodedata

# Pairs of traditional and simplified characters that replies and reminders use. One to one, so
# positions stay what they were.
_PAIRS = """
萬万與与專专業业東东絲丝兩两嚴严個个豐丰臨临為为麗丽舉举麼么義义烏乌樂乐喬乔習习鄉乡書书買买亂乱爭争於于虧亏雲云亞亚產产親亲
億亿僅仅從从倉仓儀仪們们價价眾众優优會会傘伞偉伟傳传傷伤倫伦偽伪體体餘余傭佣側侧僑侨債债傾倾僱雇兒儿黨党蘭兰關关興兴養养獸兽內内岡冈
冊册寫写軍军農农馮冯沖冲決决況况凍冻淨净涼凉減减湊凑幾几鳳凤憑凭凱凯擊击劃划劉刘則则剛刚創创刪删別别劑剂劍剑勸劝辦办務务動动勵励勁劲勞劳勢势勝胜
區区醫医華华協协單单賣卖盧卢衛卫卻却廠厂廳厅歷历厲厉壓压廁厕廈厦縣县參参雙双發发變变敘叙葉叶號号嘆叹嚇吓嗎吗啟启吳吴員员聽听
嗚呜嚨咙響响喲哟啞哑問问喚唤喪丧噴喷囉啰嘰叽噓嘘嚥咽囑嘱嘮唠團团園园圍围國国圖图圓圆聖圣場场壞坏塊块堅坚壇坛壩坝墳坟壯壮聲声處处備备復复夠够頭头
夾夹奪夺奮奋獎奖婦妇媽妈嬰婴孫孙學学寧宁寶宝實实寵宠審审宮宫寬宽賓宾對对尋寻導导將将爾尔塵尘嘗尝屍尸盡尽層层屆届屬属歲岁島岛帥帅師师帳帐帶带
幫帮幹干庫库應应廟庙廢废廣广開开異异棄弃張张彌弥彎弯彈弹強强歸归當当錄录徹彻徑径憶忆憂忧懷怀態态戀恋惡恶惱恼悶闷驚惊懶懒慘惨慣惯慮虑懸悬戲戏戰战戶户
撲扑擴扩掃扫揚扬擾扰撫抚搶抢護护報报擔担擬拟攔拦擰拧撥拨擇择掛挂擠挤揮挥損损換换據据擋挡摺折攝摄擺摆攜携敵敌數数斷断齊齐斂敛時时曬晒曉晓暈晕暫暂曆历
術术機机殺杀雜杂權权條条來来楊杨極极構构槍枪櫃柜檸柠標标樣样樹树橋桥檢检樓楼歡欢歐欧殘残氣气漢汉湯汤溝沟沒没淚泪潔洁淺浅測测濟济瀏浏濃浓濕湿溫温遊游灣湾滿满漁渔滅灭
燈灯靈灵災灾爐炉點点煉炼爛烂煩烦燒烧熱热愛爱爺爷牆墙狀状獨独獅狮豬猪貓猫獻献環环現现瑪玛電电畫画療疗瘋疯癢痒癥症瘡疮皺皱盤盘監监蓋盖盜盗睏困睜睁瞭了矚瞩磚砖礎础確确碼码禮礼禍祸離离種种積积稱称
穩稳窮穷窩窝竅窍競竞筆笔籃篮築筑簡简籤签類类糧粮緊紧糾纠紀纪約约紅红級级紙纸純纯納纳紗纱線线組组細细終终結结絕绝給给絡络統统經经綠绿維维綜综網网緒绪續续
維维繃绷緩缓編编緣缘練练縫缝總总繳缴繼继纏缠羅罗罰罚罷罢羨羡聯联聰聪職职聞闻肅肃脫脱腎肾腫肿膚肤臟脏膽胆勝胜腦脑腳脚臉脸膠胶舊旧艦舰艱艰藝艺節节蘇苏蘋苹藥药獲获萊莱蓮莲薦荐營营
蕭萧薩萨虛虚蟲虫蝦虾蠟蜡補补襯衬襪袜製制見见觀观規规視视覺觉覽览觸触計计訂订認认討讨讓让訓训議议訊讯記记講讲許许論论設设訪访證证評评識识詐诈訴诉診诊詞词試试詩诗話话
詢询該该詳详誇夸誤误說说請请諸诸諾诺讀读課课誰谁調调諒谅談谈謀谋謊谎謝谢謠谣謹谨豈岂貝贝負负財财責责賢贤敗败貨货質质販贩貪贪貧贫購购貴贵貸贷費费賀贺賊贼資资賬账賺赚賴赖賽赛贊赞贈赠
趕赶趙赵躍跃車车軌轨軟软轉转輪轮輕轻載载輔辅輛辆輩辈輸输轎轿辭辞邊边遼辽達达遷迁過过運运還还這这進进遠远違违連连遲迟適适選选遞递遺遗郵邮鄰邻鄭郑醬酱釋释針针釘钉鈣钙鈴铃
銀银鋪铺銷销鎖锁鍋锅鍵键鐘钟錢钱鏡镜鐵铁鑰钥長长門门閃闪閉闭間间閒闲鬧闹聞闻閱阅隊队陽阳陰阴陣阵階阶際际陸陆陳陈險险隨随隱隐難难雞鸡電电霧雾靜静頂顶項项順顺須须預预領领頓顿
顆颗頻频題题額额顏颜願愿顧顾顯显風风飛飞飯饭飲饮飽饱餃饺餅饼餓饿餵喂館馆饅馒饒饶馬马駕驾騎骑騙骗驗验騷骚髒脏鬆松髮发魚鱼鮮鲜鳥鸟鴨鸭麥麦麵面黃黄齒齿齡龄龍龙龜龟裡里裏里後后隻只
乾干麽么妳你牠它祂他瞇眯臺台檯台週周並并託托佈布註注証证囘回鐘钟鈎钩傢家迴回鬥斗裝装慶庆歎叹滷卤燙烫雖虽顔颜
佔占夥伙啓启夢梦姊姐妝妆娛娱嬸婶峽峡巖岩廚厨彆别徵征恆恒慄栗戶户掙挣採采擱搁攤摊攪搅昇升曠旷棟栋榮荣樁桩殼壳沒没滾滚漲涨濾滤瀉泻煙烟牽牵畢毕矇蒙禦御穀谷籠笼糞粪糰团紮扎唸念絆绊綁绑綫线
"""
SIMPLIFIED: dict[int, int | str | None] = {
    ord(pair[0]): pair[1]
    for line in _PAIRS.split()
    for pair in (line[at : at + 2] for at in range(0, len(line), 2))
}
# Cantonese words of one letter, each with the one that is usual elsewhere.
_WORDS = "喫吃哋地嚟来攞拿揾找搵找瞓睡郁动劏杀"
_FOLD = SIMPLIFIED | {ord(one): other for one, other in zip(_WORDS[::2], _WORDS[1::2], strict=True)}
_FOLD |= {ord(character): None for character in "\u200b\u200c\u200d\u2060\ufe0e\ufe0f\ufeff\u00ad"}
_FOLD |= dict.fromkeys(range(127995, 128000))  # skin tones of gestures
_FOLD |= dict.fromkeys(range(0xD800, 0xE000))  # halves of letters, which JSON can name
_FOLD |= {ord("’"): "'", ord("‘"): "'", ord("ʼ"): "'", ord("♀"): None, ord("♂"): None}
_REPEATED = re.compile(r"([\u4e00-\u9fff])\1{3,}")
_PLAIN = re.compile(r"[\x20-\x7e]*").fullmatch
HAN = re.compile(r"[\u3400-\u9fff]").search
_WORD = re.compile("[A-Za-z]{2}").search


def language_of(text: str, otherwise: str = "en") -> str:
    """Of the words themselves; `otherwise` where there are none."""
    if HAN(text):
        return "zh"
    return "en" if _WORD(text) else otherwise


def fold(text: str) -> str:
    """The same words in one way of writing. 遲點再說啦，ＯＫ？ → 迟点再说啦,ok?"""
    if _PLAIN(text):
        return text.strip().lower()
    folded = unicodedata.normalize("NFKC", text).translate(_FOLD)
    return _REPEATED.sub(r"\1\1\1", folded).strip().lower()
